import {
  HVAC_MODES,
  type HvacAction,
  type HvacMode,
  MAX_TARGET_C,
  MIN_TARGET_C,
  PRESET_MODES,
  READING_STALE_AFTER_MS,
  type Room,
  type Sensor,
  timestampOf,
} from '@hypocaust/domain'
import type { RoomRow } from './rooms.ts'
import { type ManualPower, powerOf } from './wish.ts'

/** The one place where a room of the code becomes a room of the interface. */
export function roomView(row: RoomRow, nowMs: number): Room {
  const sensor = sensorView(row)
  const isFresh = row.measuredAt !== null && nowMs - row.measuredAt <= READING_STALE_AFTER_MS
  const power = powerOf(row)
  const hvacMode = hvacModeOf(row)
  return {
    id: row.id,
    name: row.name,
    current_temperature: isFresh ? row.temperatureC : null,
    current_humidity: isFresh ? row.humidityPct : null,
    target_temperature: row.targetC,
    min_temp: MIN_TARGET_C,
    max_temp: MAX_TARGET_C,
    hvac_mode: hvacMode,
    hvac_modes: [...HVAC_MODES],
    hvac_action: hvacActionOf(hvacMode, power),
    preset_mode: row.presetMode,
    preset_modes: [...PRESET_MODES],
    manual_power: { enabled: row.manualEnabled === 1, power: row.manualPower },
    power,
    sensor_id: row.sensorId,
    sensor,
  }
}

/** There is no separate off switch: off is manual power held at zero. */
export const hvacModeOf = ({ manualEnabled, manualPower }: ManualPower): HvacMode =>
  manualEnabled === 1 && manualPower === 0 ? 'off' : 'heat'

const hvacActionOf = (mode: HvacMode, power: number): HvacAction => {
  if (power > 0) return 'heating'
  return mode === 'off' ? 'off' : 'idle'
}

function sensorView(row: RoomRow): Sensor | null {
  if (row.measuredAt === null || row.temperatureC === null) return null
  return {
    id: row.sensorId,
    temperature: row.temperatureC,
    humidity: row.humidityPct,
    batt: row.batteryPct,
    rssi: row.rssiDbm,
    timestamp: timestampOf(row.measuredAt),
  }
}
