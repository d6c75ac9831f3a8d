import {
  HVAC_MODES,
  hvacActionOf,
  hvacModeOf,
  MAX_TARGET_C,
  MIN_TARGET_C,
  PRESET_MODES,
  READING_STALE_AFTER_MS,
  type Room,
  type Sensor,
  timestampOf,
} from '@hypocaust/domain'
import { AHEAD_MS, isWithin } from '../../base/clock.ts'
import type { Measured, OtherReading } from '../room-sensors.ts'
import type { RoomRow } from './rooms.ts'
import { manualSettingOf, powerOf, steeringOfRow } from './steering.ts'

/** The one place where a room of the code becomes a room of the interface. */
export function roomView(row: RoomRow, nowMs: number): Room {
  const sensor = sensorView(row.sensorAddress, row.first ?? row, row)
  const isFresh = row.measuredAt !== null && isWithin(nowMs - row.measuredAt, READING_STALE_AFTER_MS)
  const power = powerOf(row)
  const steering = steeringOfRow(row)
  return {
    id: row.id,
    name: row.name,
    current_temperature: isFresh ? row.temperatureC : null,
    current_humidity: isFresh ? row.humidityPct : null,
    target_temperature: row.targetC,
    min_temp: MIN_TARGET_C,
    max_temp: MAX_TARGET_C,
    hvac_mode: hvacModeOf(steering),
    hvac_modes: [...HVAC_MODES],
    // What a room is cooled with is no heat.
    hvac_action: hvacActionOf(steering, row.cools === 1 ? 0 : power),
    preset_mode: row.presetMode,
    preset_modes: [...PRESET_MODES],
    manual_power: manualSettingOf(row),
    power,
    sensor_id: row.sensorAddress,
    sensor,
  }
}

/** The moments at which the view of a room changes though nothing is written: its reading begins and ceases to count. */
export const turnsOf = ({ measuredAt }: RoomRow): number[] =>
  measuredAt === null ? [] : [measuredAt - AHEAD_MS, measuredAt + READING_STALE_AFTER_MS + 1]

/** The latest readings of the sensors beside its first one. */
export const otherReadingsOf = ({ others = [] }: RoomRow): Sensor[] =>
  others.flatMap((each) => sensorView(each.id, each, each) ?? [])

function sensorView(
  id: string,
  { temperatureC, humidityPct, measuredAt }: Measured,
  { batteryPct, rssiDbm }: Pick<OtherReading, 'batteryPct' | 'rssiDbm'>,
): Sensor | null {
  if (measuredAt === null || temperatureC === null) return null
  return {
    id,
    temperature: temperatureC,
    humidity: humidityPct,
    batt: batteryPct,
    rssi: rssiDbm,
    timestamp: timestampOf(measuredAt),
  }
}
