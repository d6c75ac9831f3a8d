import { BOOST } from '@hypocaust/domain'
import { Bytes } from '@matter/main'
import { Thermostat } from '@matter/main/clusters/thermostat'
import type { RoomNow, RoomPreset } from './source.ts'

/** A preset is known by this byte for as long as a bridge stays paired. */
const HANDLES = { comfort: 1, boost: 2 } as const satisfies Record<RoomPreset, number>
const NAMES = Object.keys(HANDLES) as RoomPreset[]

/** The target, as while somebody is in, and a little more for an hour. */
const SCENARIOS = {
  comfort: Thermostat.PresetScenario.Occupied,
  boost: Thermostat.PresetScenario.UserDefined,
} as const

export const PRESET_TYPES = NAMES.map((preset) => ({
  presetScenario: SCENARIOS[preset],
  numberOfPresets: 1,
  presetTypeFeatures: { automatic: false, supportsNames: preset === 'boost' },
}))

const temperatureOf = (preset: RoomPreset, { target_temperature, max_temp }: RoomNow): number =>
  preset === 'comfort' ? target_temperature : Math.min(max_temp, target_temperature + BOOST.kelvin)

/** The presets of a room with the temperatures that they mean now. */
export const presetsOf = (room: RoomNow) =>
  NAMES.map((preset) => ({
    presetHandle: Uint8Array.of(HANDLES[preset]),
    presetScenario: SCENARIOS[preset],
    ...(preset === 'boost' && { name: 'Boost' }),
    heatingSetpoint: Math.round(temperatureOf(preset, room) * 100),
    builtIn: true,
  }))

/** The preset by which the room is heated now; null where its temperature is another. */
export function activePresetOf(room: RoomNow): Uint8Array | null {
  const { mode, setpoint, overrideUntil } = room.now
  if (mode === 'off') return null
  if (setpoint === temperatureOf('comfort', room)) return Uint8Array.of(HANDLES.comfort)
  const isBoost = overrideUntil !== null && setpoint === temperatureOf('boost', room)
  return isBoost ? Uint8Array.of(HANDLES.boost) : null
}

/** What a controller has chosen; null where it ends a preset, and for a handle that is not ours. */
export const presetOfHandle = (handle: Bytes | null): RoomPreset | null =>
  NAMES.find((preset) => handle?.byteLength === 1 && Bytes.of(handle)[0] === HANDLES[preset]) ?? null
