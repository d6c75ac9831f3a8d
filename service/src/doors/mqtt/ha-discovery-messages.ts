import { type Building, PRESET_MODES, type Room, type RoomPatch } from '@hypocaust/domain'

/** Home Assistant's own names: where it listens, and where it says that it is there. */
export const DISCOVERY_ROOT = 'homeassistant/device/'
export const DISCOVERY_FILTER = `${DISCOVERY_ROOT}+/config`
export const BIRTH_TOPIC = 'homeassistant/status'
export const ONLINE = 'online'
export const OFFLINE = 'offline'

/** To the old topic of a device whose configuration moves to another: Home Assistant then keeps its entities. */
export const MOVES = JSON.stringify({ migrate_discovery: true })

/** Where one installation publishes. Several may share a broker: each recognises what is its own. */
export interface Topics {
  service: string
  commands: string
  config(id: string): string
  state(id: string): string
  availability(buildingId: string): string
  command(roomId: string, what: string): string
  /** The room or building, where a topic is one on which this installation configures a device. */
  idOfConfig(topic: string): string | undefined
  /** The room and what is set, where a topic is one of this installation's commands. */
  setting(topic: string): { roomId: string; what: string } | undefined
}

const ID = '[0-9a-f-]{36}'

export function topicsOf(installation: string): Topics {
  const root = `hypocaust/ha/${installation}`
  const configs = new RegExp(`^${DISCOVERY_ROOT}hypocaust_${installation}_(${ID})/config$`)
  const settings = new RegExp(`^${root}/(${ID})/set/(\\w+)$`)
  return {
    service: `${root}/status`,
    commands: `${root}/+/set/+`,
    config: (id) => `${DISCOVERY_ROOT}hypocaust_${installation}_${id}/config`,
    state: (id) => `${root}/${id}/state`,
    availability: (buildingId) => `${root}/${buildingId}/availability`,
    command: (roomId, what) => `${root}/${roomId}/set/${what}`,
    idOfConfig: (topic) => configs.exec(topic)?.[1],
    setting(topic) {
      const [, roomId, what] = settings.exec(topic) ?? []
      return roomId && what ? { roomId, what } : undefined
    },
  }
}

/** Topics as they were before they had the installation in them. */
export const OLD_TOPICS = {
  config: (id: string): string => `${DISCOVERY_ROOT}${deviceId(id)}/config`,
  states: (id: string): string[] => [`hypocaust/ha/${id}/state`, `hypocaust/ha/${id}/availability`],
  idOfConfig: (topic: string): string | undefined => OLD_CONFIG.exec(topic)?.[1],
}
const OLD_CONFIG = new RegExp(`^${DISCOVERY_ROOT}hypocaust_(${ID})/config$`)

/** Unique by itself in any Home Assistant; what its entities are known by there must never change. */
const deviceId = (id: string): string => `hypocaust_${id}`

export interface Origin {
  name: string
  sw_version: string
}

/** A room as a device: the thermostat, and what its sensor tells. */
export function roomConfig(room: Room, buildingId: string, topics: Topics, origin: Origin): object {
  const state = topics.state(room.id)
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
    availability: [{ topic: topics.service }, { topic: topics.availability(buildingId) }],
    availability_mode: 'all',
    components: {
      climate: climate(room, topics),
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

function climate({ id, min_temp, max_temp }: Room, topics: Topics): object {
  const state = topics.state(id)
  return {
    platform: 'climate',
    unique_id: deviceId(id),
    name: null,
    modes: ['off', 'heat'],
    mode_state_topic: state,
    mode_state_template: '{{ value_json.mode }}',
    mode_command_topic: topics.command(id, 'mode'),
    temperature_state_topic: state,
    temperature_state_template: '{{ value_json.target }}',
    temperature_command_topic: topics.command(id, 'target'),
    current_temperature_topic: state,
    current_temperature_template: '{{ value_json.temperature }}',
    current_humidity_topic: state,
    current_humidity_template: '{{ value_json.humidity }}',
    action_topic: state,
    action_template: '{{ value_json.action }}',
    preset_modes: LISTED_PRESETS,
    preset_mode_state_topic: state,
    preset_mode_value_template: '{{ value_json.preset }}',
    preset_mode_command_topic: topics.command(id, 'preset'),
    min_temp,
    max_temp,
    temp_step: 0.5,
    precision: 0.1,
    temperature_unit: 'C',
  }
}

/** The building as a device, so that rooms have something to hang on. It answers also while its hardware is silent. */
export function buildingConfig({ id, name }: Building, topics: Topics, origin: Origin): object {
  return {
    device: { identifiers: [deviceId(id)], name, manufacturer: 'Hypocaust', model: 'Building' },
    origin,
    availability: [{ topic: topics.service }],
    components: {
      connectivity: {
        platform: 'binary_sensor',
        unique_id: `${deviceId(id)}_connectivity`,
        device_class: 'connectivity',
        ...diagnostic(true),
        state_topic: topics.state(id),
        value_template: '{{ value_json.connected }}',
        payload_on: 'True',
        payload_off: 'False',
      },
      outdoor_temperature: sensor(id, 'outdoor_temperature', {
        ...measured('temperature', '°C'),
        name: 'Outdoor temperature',
        state_topic: topics.state(id),
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
export function patchOf(
  what: string,
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
