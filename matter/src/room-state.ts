import { BATTERY_LOW_PCT, type Building, type Room, type RoomPatch } from '@hypocaust/domain'
import { PowerSource } from '@matter/main/clusters/power-source'
import { Thermostat } from '@matter/main/clusters/thermostat'
import { activePresetOf, PRESET_TYPES, presetsOf } from './presets.ts'
import type { RoomNow } from './source.ts'

const LABEL_BYTES = 32

/** Matter counts hundredths of a degree and of a percent. */
const hundredths = (value: number): number => Math.round(value * 100)
const hundredthsOrNull = (value: number | null): number | null => (value === null ? null : hundredths(value))

/** The values of a room's endpoint that change while it exists, by cluster. */
export function roomState(room: RoomNow, { available }: Pick<Building, 'available'>) {
  const battery = room.sensor?.batt ?? null
  const { Active, Unspecified } = PowerSource.PowerSourceStatus
  const { Ok, Warning } = PowerSource.BatChargeLevel
  return {
    thermostat: {
      localTemperature: hundredthsOrNull(room.current_temperature),
      occupiedHeatingSetpoint: setpointOf(room),
      systemMode: systemModeOf(room.now.mode),
      thermostatRunningState: { heat: room.hvac_action === 'heating' },
      presets: presetsOf(room),
      activePresetHandle: activePresetOf(room),
    },
    relativeHumidityMeasurement: { measuredValue: hundredthsOrNull(room.current_humidity) },
    powerSource: {
      status: battery === null ? Unspecified : Active,
      batPercentRemaining: battery === null ? null : Math.round(battery * 2),
      batChargeLevel: battery !== null && battery <= BATTERY_LOW_PCT ? Warning : Ok,
    },
    bridgedDeviceBasicInformation: { nodeLabel: labelOf(room.name), reachable: available === true },
  }
}

export type RoomState = ReturnType<typeof roomState>

/** What stays as it was when the room's endpoint was made. */
export const fixedRoomState = (room: Room) => ({
  thermostat: {
    presetTypes: PRESET_TYPES,
    numberOfPresets: PRESET_TYPES.length,
    controlSequenceOfOperation: Thermostat.ControlSequenceOfOperation.HeatingOnly,
    absMinHeatSetpointLimit: hundredths(room.min_temp),
    minHeatSetpointLimit: hundredths(room.min_temp),
    maxHeatSetpointLimit: hundredths(room.max_temp),
    absMaxHeatSetpointLimit: hundredths(room.max_temp),
  },
  powerSource: {
    order: 0,
    description: 'Battery of the sensor',
    batReplacementNeeded: false,
    batReplaceability: PowerSource.BatReplaceability.UserReplaceable,
  },
  bridgedDeviceBasicInformation: {
    vendorName: 'Hypocaust',
    productName: 'Room',
    uniqueId: shortId(room.id),
  },
})

/** A UUID in the 32 characters Matter has for ids. */
export const shortId = (uuid: string): string => uuid.replaceAll('-', '')

/** The members of `wanted` that `current` does not have yet, by cluster; undefined when there are none. */
export function differences(current: RoomState, wanted: RoomState): Partial<RoomState> | undefined {
  const clusters = Object.entries(wanted).flatMap(([cluster, values]) => {
    const known = current[cluster as keyof RoomState] as Record<string, unknown>
    const changed = Object.entries(values).filter(([name, value]) => !isSame(known[name], value))
    return changed.length > 0 ? [[cluster, Object.fromEntries(changed)]] : []
  })
  return clusters.length > 0 ? Object.fromEntries(clusters) : undefined
}

/** Of the running state only the one bit is ours, and of presets only their temperatures change. */
function isSame(known: unknown, value: unknown): boolean {
  if (Array.isArray(value)) {
    const temperatures = (presets: { heatingSetpoint?: number }[] = []) =>
      presets.map((each) => each.heatingSetpoint).join()
    return temperatures(known as typeof value) === temperatures(value)
  }
  if (value instanceof Uint8Array) return value[0] === (known as Uint8Array | null)?.[0]
  if (typeof value === 'object' && value !== null && 'heat' in value)
    return Boolean((known as { heat?: boolean } | undefined)?.heat) === value.heat
  return known === value
}

/** An empty house may be colder than the least that can be dialled. */
const setpointOf = ({ now, min_temp, max_temp }: RoomNow): number =>
  hundredths(Math.min(max_temp, Math.max(min_temp, now.setpoint)))

const systemModeOf = (mode: Room['hvac_mode']) =>
  mode === 'off' ? Thermostat.SystemMode.Off : Thermostat.SystemMode.Heat

/** What a controller's choice of mode means for the room; undefined for modes a floor does not have. */
export function patchOfSystemMode(mode: Thermostat.SystemMode): RoomPatch | undefined {
  if (mode === Thermostat.SystemMode.Off) return { hvac_mode: 'off' }
  if (mode === Thermostat.SystemMode.Heat) return { hvac_mode: 'heat' }
  return undefined
}

export const celsiusOf = (setpoint: number): number => setpoint / 100

/** As much of a name as a label holds, never half a character. */
export function labelOf(name: string): string {
  let label = ''
  for (const { segment } of new Intl.Segmenter().segment(name)) {
    if (Buffer.byteLength(label + segment) > LABEL_BYTES) break
    label += segment
  }
  return label.trim()
}
