import { type Building, PRESET_MODES, type Room, type RoomPatch } from '@hypocaust/domain'

/** Home Assistant's own names: where it listens, and where it says that it is there. */
export const DISCOVERY_FILTER = 'homeassistant/device/+/config'
export const BIRTH_TOPIC = 'homeassistant/status'

const ROOT = 'hypocaust/ha'
export const SERVICE_TOPIC = `${ROOT}/status`
export const COMMAND_FILTER = `${ROOT}/+/set/+`

export const ONLINE = 'online'
export const OFFLINE = 'offline'

/** Names of devices carry the product's, so that those left over from a removed room are recognised among others. */
export const deviceId = (id: string): string => `hypocaust_${id}`
export const configTopic = (id: string): string => `homeassistant/device/${deviceId(id)}/config`
export const idOfConfigTopic = (topic: string): string | undefined =>
  /^homeassistant\/device\/hypocaust_([\w-]+)\/config$/.exec(topic)?.[1]

export const stateTopic = (id: string): string => `${ROOT}/${id}/state`
export const availabilityTopic = (buildingId: string): string => `${ROOT}/${buildingId}/availability`
const commandTopic = (roomId: string, what: string): string => `${ROOT}/${roomId}/set/${what}`

export interface Origin {
  name: string
  sw_version: string
}

/** A room as a device: the thermostat, and what its sensor tells. */
export function roomConfig(room: Room, buildingId: string, origin: Origin): object {
  const state = stateTopic(room.id)
  return {
    device: {
      identifiers: [deviceId(room.id)],
      name: room.name,
      manufacturer: 'Hypocaust',
      model: 'Room',
      suggested_area: room.name,
      via_device: deviceId(buildingId),
    },
    origin,
    availability: [{ topic: SERVICE_TOPIC }, { topic: availabilityTopic(buildingId) }],
    availability_mode: 'all',
    components: {
      climate: climate(room),
      temperature: sensor(room.id, 'temperature', { ...measured('temperature', '°C'), state_topic: state }),
      humidity: sensor(room.id, 'humidity', { ...measured('humidity', '%'), state_topic: state }),
      power: sensor(room.id, 'power', {
        name: 'Floor power',
        icon: 'mdi:valve',
        unit_of_measurement: '%',
        state_class: 'measurement',
        state_topic: state,
      }),
      battery: sensor(room.id, 'battery', { ...measured('battery', '%'), ...diagnostic(true), state_topic: state }),
      signal: sensor(room.id, 'signal', {
        ...measured('signal_strength', 'dBm'),
        ...diagnostic(false),
        state_topic: state,
      }),
      measured_at: sensor(room.id, 'measured_at', {
        name: 'Last measurement',
        device_class: 'timestamp',
        ...diagnostic(false),
        state_topic: state,
      }),
    },
  }
}

/** Home Assistant adds the preset `none` by itself, and rejects a list that has it. */
const LISTED_PRESETS = PRESET_MODES.filter((mode) => mode !== 'none')

function climate({ id, min_temp, max_temp }: Room): object {
  const state = stateTopic(id)
  return {
    platform: 'climate',
    unique_id: deviceId(id),
    name: null,
    modes: ['off', 'heat'],
    mode_state_topic: state,
    mode_state_template: '{{ value_json.mode }}',
    mode_command_topic: commandTopic(id, 'mode'),
    temperature_state_topic: state,
    temperature_state_template: '{{ value_json.target }}',
    temperature_command_topic: commandTopic(id, 'target'),
    current_temperature_topic: state,
    current_temperature_template: '{{ value_json.temperature }}',
    current_humidity_topic: state,
    current_humidity_template: '{{ value_json.humidity }}',
    action_topic: state,
    action_template: '{{ value_json.action }}',
    preset_modes: LISTED_PRESETS,
    preset_mode_state_topic: state,
    preset_mode_value_template: '{{ value_json.preset }}',
    preset_mode_command_topic: commandTopic(id, 'preset'),
    min_temp,
    max_temp,
    temp_step: 0.5,
    precision: 0.1,
    temperature_unit: 'C',
  }
}

/** The building as a device, so that rooms have something to hang on. It answers also while its hardware is silent. */
export function buildingConfig({ id, name }: Building, origin: Origin): object {
  return {
    device: { identifiers: [deviceId(id)], name, manufacturer: 'Hypocaust', model: 'Building' },
    origin,
    availability: [{ topic: SERVICE_TOPIC }],
    components: {
      connectivity: {
        platform: 'binary_sensor',
        unique_id: `${deviceId(id)}_connectivity`,
        device_class: 'connectivity',
        ...diagnostic(true),
        state_topic: stateTopic(id),
        value_template: '{{ value_json.connected }}',
        payload_on: 'True',
        payload_off: 'False',
      },
      outdoor_temperature: sensor(id, 'outdoor_temperature', {
        ...measured('temperature', '°C'),
        name: 'Outdoor temperature',
        state_topic: stateTopic(id),
      }),
    },
  }
}

const sensor = (id: string, key: string, rest: object): object => ({
  platform: 'sensor',
  unique_id: `${deviceId(id)}_${key}`,
  value_template: `{{ value_json.${key} }}`,
  ...rest,
})

const measured = (device_class: string, unit_of_measurement: string) => ({
  device_class,
  unit_of_measurement,
  state_class: 'measurement',
})

const diagnostic = (enabled_by_default: boolean) => ({ entity_category: 'diagnostic', enabled_by_default })

export const roomState = (room: Room): object => ({
  mode: room.hvac_mode,
  action: room.hvac_action,
  target: room.target_temperature,
  preset: room.preset_mode,
  temperature: room.current_temperature,
  humidity: room.current_humidity,
  power: Math.round(room.power * 1000) / 10,
  battery: room.sensor?.batt ?? null,
  signal: room.sensor?.rssi ?? null,
  measured_at: room.sensor?.timestamp ?? null,
})

/** Null stays null: a building without a gateway is not one that is down. */
export const buildingState = ({ available, weather }: Building): object => ({
  connected: available,
  outdoor_temperature: weather?.temperature ?? null,
})

export const buildingAvailability = ({ available }: Building): string => (available === true ? ONLINE : OFFLINE)

/** What a message on a command topic asks of a room; nothing for one that makes no sense. */
export function commandOf(
  topic: string,
  text: string,
  limits: Pick<Room, 'min_temp' | 'max_temp'>,
): { roomId: string; patch: RoomPatch } | undefined {
  const [, roomId = '', what] = /^hypocaust\/ha\/([\w-]+)\/set\/(\w+)$/.exec(topic) ?? []
  const patch = patchOf(what, text, limits)
  return patch && { roomId, patch }
}

function patchOf(
  what: string | undefined,
  text: string,
  { min_temp, max_temp }: Pick<Room, 'min_temp' | 'max_temp'>,
): RoomPatch | undefined {
  switch (what) {
    case 'mode':
      return text === 'heat' || text === 'off' ? { hvac_mode: text } : undefined
    case 'preset': {
      const preset_mode = PRESET_MODES.find((mode) => mode === text)
      return preset_mode && { preset_mode }
    }
    case 'target': {
      const target_temperature = /^-?\d+(\.\d+)?$/.test(text) ? Math.round(Number(text) * 10) / 10 : Number.NaN
      return target_temperature >= min_temp && target_temperature <= max_temp ? { target_temperature } : undefined
    }
    default:
      return undefined
  }
}
