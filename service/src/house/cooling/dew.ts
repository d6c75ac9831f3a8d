import { dewPointC, HUMIDITY_COUNTS_MS, MINUTE_MS } from '@hypocaust/domain'
import type { ByOthers, Measured } from '../room-sensors.ts'

type MeasuredRoom = Measured & Partial<Pick<ByOthers, 'first' | 'others'>>
type Damp = { airC: number; humidityPct: number }

export const dewNowC = ({ airC, humidityPct }: Damp): number => dewPointC(airC, humidityPct)

/** The reading with the highest dew point of all sensors of a room; null where none has reported its humidity lately. */
export function dampest(room: MeasuredRoom, nowMs: number): Damp | null {
  const known = [room.first ?? room, ...(room.others ?? [])].flatMap((sensor) => reading(sensor, nowMs))
  return known.reduce<Damp | null>((a, b) => (a && dewNowC(a) >= dewNowC(b) ? a : b), null)
}

function reading({ temperatureC: airC, humidityPct, measuredAt }: Measured, nowMs: number): Damp[] {
  const ageMs = measuredAt === null ? Number.NaN : nowMs - measuredAt
  const isFresh = ageMs >= -MINUTE_MS && ageMs <= HUMIDITY_COUNTS_MS
  return isFresh && airC !== null && humidityPct !== null && humidityPct > 0 ? [{ airC, humidityPct }] : []
}
