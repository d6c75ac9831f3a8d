import { type OtherSensors, READING_STALE_AFTER_MS, type SensorUse } from '@hypocaust/domain'
import { statement } from '../store/statement.ts'
import type { Store } from '../store/store.ts'

export interface Measured {
  temperatureC: number | null
  humidityPct: number | null
  measuredAt: number | null
}

/** A room with the latest reading of its first sensor. */
export interface MeasuredRoom extends Measured {
  buildingId: string
  /** As stored. */
  otherSensors: string | null
}

export interface OtherReading extends Measured {
  id: string
  weight: number
  batteryPct: number | null
  rssiDbm: number | null
}

/** The room is measured by several sensors. */
export interface ByOthers {
  /** Of its first sensor. */
  first: Measured
  others: OtherReading[]
  /** Of the coldest sensor that counts: a pipe freezes where it is coldest. */
  coldestC: number | null
}

export const otherSensorsOf = ({ otherSensors }: Pick<MeasuredRoom, 'otherSensors'>): OtherSensors | null =>
  otherSensors === null ? null : JSON.parse(otherSensors)

/** The first one, and those beside it: each once. */
export const addressesOf = (room: Pick<MeasuredRoom, 'otherSensors'> & { sensorAddress: string }): string[] => [
  ...new Set([room.sensorAddress, ...(otherSensorsOf(room)?.sensors.map(({ id }) => id) ?? [])]),
]

const sensorsIn = statement((db, { buildingIds }: { buildingIds: unknown }, { isIn }) =>
  db
    .selectFrom('sensors')
    .select(['buildingId', 'address', 'temperatureC', 'humidityPct', 'batteryPct', 'rssiDbm', 'measuredAt'])
    .where(isIn('building_id', buildingIds)),
)

/** The rooms by the readings of all their sensors. Costs a read where a room has several, and nothing elsewhere. */
export async function withOtherSensors<Room extends MeasuredRoom & { sensorAddress: string }>(
  store: Store,
  rooms: Room[],
): Promise<(Room & Partial<ByOthers>)[]> {
  const buildings = new Set(rooms.flatMap(({ buildingId, otherSensors }) => (otherSensors === null ? [] : buildingId)))
  if (buildings.size === 0) return rooms
  const rows = await sensorsIn.all(store, { buildingIds: store.statements.list(buildings) })
  const sensors = new Map(rows.map((row) => [`${row.buildingId} ${row.address}`, row]))
  return rooms.map((room) => {
    const chosen = otherSensorsOf(room)
    if (chosen === null) return room
    const others = chosen.sensors.flatMap(({ id, weight = 1 }) => {
      const sensor = id === room.sensorAddress ? undefined : sensors.get(`${room.buildingId} ${id}`)
      return sensor ? [{ ...sensor, id, weight }] : []
    })
    const { temperatureC, humidityPct, measuredAt } = room
    const first = { temperatureC, humidityPct, measuredAt }
    return { ...room, ...combined(chosen.use, [{ ...first, weight: 1 }, ...others]), first, others }
  })
}

type Weighted = Measured & { weight: number }
type Known = Weighted & { temperatureC: number; measuredAt: number }

/**
 * One reading of several sensors, as old as the newest of them. A sensor counts while its own is at most an hour older
 * than that: so one that has fallen silent leaves the room to the others, and nothing changes without a reading.
 */
export function combined(use: SensorUse, sensors: Weighted[]): Measured & { coldestC: number | null } {
  const known = sensors.filter((each): each is Known => each.temperatureC !== null && each.measuredAt !== null)
  if (known.length === 0) return { temperatureC: null, humidityPct: null, measuredAt: null, coldestC: null }
  const measuredAt = Math.max(...known.map((each) => each.measuredAt))
  const counting = known.filter((each) => measuredAt - each.measuredAt <= READING_STALE_AFTER_MS)
  const coldest = counting.reduce((cold, each) => (each.temperatureC < cold.temperatureC ? each : cold))
  const coldestC = coldest.temperatureC
  if (use === 'coldest') return { temperatureC: coldestC, humidityPct: coldest.humidityPct, measuredAt, coldestC }
  return {
    temperatureC: weightedMean(counting.map(({ temperatureC, weight }) => ({ value: temperatureC, weight }))),
    humidityPct: weightedMean(
      counting.flatMap(({ humidityPct, weight }) => (humidityPct === null ? [] : [{ value: humidityPct, weight }])),
    ),
    measuredAt,
    coldestC,
  }
}

/** In hundredths, as finely as sensors report; null of nothing. */
export function weightedMean(values: { value: number; weight: number }[]): number | null {
  const weights = values.reduce((sum, { weight }) => sum + weight, 0)
  if (weights === 0) return null
  return Math.round((100 * values.reduce((sum, { value, weight }) => sum + value * weight, 0)) / weights) / 100
}
