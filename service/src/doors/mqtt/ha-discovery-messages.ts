import {
  type AppAlert,
  type Building,
  type BuildingAway,
  COOLING_TARGET_C,
  MINIMUM_FLOOR_C,
  MOULD_RISKS,
  PRESET_MODES,
  type RoomAir,
  slugOf,
  TARGETS_OF,
} from '@hypocaust/domain'
import type { RoomNow } from '../../house/rooms/thermostat.ts'

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
  command(id: string, what: string): string
  /** Where it is reported who is home. */
  presence: string
  /** The room or building, where a topic is one on which this installation configures a device. */
  idOfConfig(topic: string): string | undefined
  /** The room or building and what is set, where a topic is one of this installation's commands. */
  setting(topic: string): { id: string; what: string } | undefined
  /** The building and the person, where a topic says who is home. */
  personOf(topic: string): { buildingId: string; name: string } | undefined
}

const ID = '[0-9a-f-]{36}'

export function topicsOf(installation: string): Topics {
  const root = `hypocaust/ha/${installation}`
  const configs = new RegExp(`^${DISCOVERY_ROOT}hypocaust_${installation}_(${ID})/config$`)
  const settings = new RegExp(`^${root}/(${ID})/set/(\\w+)$`)
  const people = new RegExp(`^${root}/(${ID})/presence/([^/]+)$`)
  return {
    service: `${root}/status`,
    commands: `${root}/+/set/+`,
    presence: `${root}/+/presence/+`,
    config: (id) => `${DISCOVERY_ROOT}hypocaust_${installation}_${id}/config`,
    state: (id) => `${root}/${id}/state`,
    availability: (buildingId) => `${root}/${buildingId}/availability`,
    command: (id, what) => `${root}/${id}/set/${what}`,
    idOfConfig: (topic) => configs.exec(topic)?.[1],
    setting(topic) {
      const [, id, what] = settings.exec(topic) ?? []
      return id && what ? { id, what } : undefined
    },
    personOf(topic) {
      const [, buildingId, name] = people.exec(topic) ?? []
      return buildingId && name ? { buildingId, name } : undefined
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

export interface Place {
  building: Pick<Building, 'id' | 'name'>
  /** Rooms of two houses often have the same name: then they carry that of the building. */
  isOneOfSeveral: boolean
}

/** A room as a device: the thermostat, and what its sensor tells. */
export function roomConfig(room: RoomNow, { building, isOneOfSeveral }: Place, topics: Topics, origin: Origin): object {
  const state = topics.state(room.id)
  const buildingId = building.id
  const name = isOneOfSeveral ? `${building.name} ${room.name}` : room.name
  return {
    device: {
      identifiers: [deviceId(room.id)],
      name,
      manufacturer: 'Hypocaust',
      model: 'Room',
      suggested_area: name,
      via_device: deviceId(buildingId),
    },
    origin,
    availability: [{ topic: topics.service }, { topic: topics.availability(buildingId) }],
    availability_mode: 'all',
    components: withEntityIds(name, {
      climate: climate(room, topics),
      setpoint: sensor(room.id, 'setpoint', { ...measured('temperature', '°C'), name: 'Setpoint', state_topic: state }),
      target: {
        platform: 'number',
        unique_id: `${deviceId(room.id)}_target`,
        name: 'Target',
        device_class: 'temperature',
        unit_of_measurement: '°C',
        entity_category: 'config',
        min: room.min_temp,
        max: room.max_temp,
        step: 0.5,
        mode: 'box',
        state_topic: state,
        value_template: '{{ value_json.base }}',
        command_topic: topics.command(room.id, 'base'),
      },
      target_of: {
        platform: 'select',
        unique_id: `${deviceId(room.id)}_target_of`,
        name: 'Target is of',
        ...seldomSet,
        options: TARGETS_OF,
        state_topic: state,
        value_template: '{{ value_json.target_of }}',
        command_topic: topics.command(room.id, 'target_of'),
      },
      floor_minimum: {
        platform: 'number',
        unique_id: `${deviceId(room.id)}_floor_minimum`,
        name: 'Minimum floor temperature',
        device_class: 'temperature',
        unit_of_measurement: '°C',
        ...seldomSet,
        min: MINIMUM_FLOOR_C.minimum,
        max: MINIMUM_FLOOR_C.maximum,
        step: 0.5,
        mode: 'box',
        state_topic: state,
        value_template: '{{ value_json.floor_minimum }}',
        command_topic: topics.command(room.id, 'floor_minimum'),
      },
      override_until: sensor(room.id, 'override_until', {
        name: 'Override until',
        device_class: 'timestamp',
        state_topic: state,
      }),
      boost: button(room.id, 'boost', 'Boost', topics),
      end_override: button(room.id, 'end_override', 'End override', topics),
      window: binarySensor(room.id, 'window', { device_class: 'window', state_topic: state }),
      close_blinds: binarySensor(room.id, 'close_blinds', {
        name: 'Close blinds',
        icon: 'mdi:blinds',
        state_topic: state,
      }),
      problem: problem(room.id, state),
      temperature: sensor(room.id, 'temperature', { ...measured('temperature', '°C'), state_topic: state }),
      humidity: sensor(room.id, 'humidity', { ...measured('humidity', '%'), state_topic: state }),
      dew_point: sensor(room.id, 'dew_point', {
        ...measured('temperature', '°C'),
        name: 'Dew point',
        state_topic: state,
      }),
      mould_risk: sensor(room.id, 'mould_risk', {
        name: 'Mould risk',
        icon: 'mdi:mushroom-outline',
        device_class: 'enum',
        options: MOULD_RISKS,
        state_topic: state,
      }),
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
    }),
  }
}

type Components = Record<string, { platform: string; [setting: string]: unknown }>

/** Left to itself, Home Assistant puts the area before the device, and both have the room's name. */
const withEntityIds = (name: string, components: Components): Components =>
  Object.fromEntries(
    Object.entries(components).map(([key, component]) => [
      key,
      {
        ...component,
        default_entity_id: `${component.platform}.${objectId(key === 'climate' ? name : `${name} ${key}`)}`,
      },
    ]),
  )

const objectId = (text: string): string => slugOf(text).replaceAll('-', '_') || 'room'

/** Home Assistant adds the preset `none` by itself, and rejects a list that has it. */
const LISTED_PRESETS = PRESET_MODES.filter((mode) => mode !== 'none')

function climate({ id, min_temp, max_temp, now }: RoomNow, topics: Topics) {
  const state = topics.state(id)
  const limits = now.isCooled
    ? { min_temp: COOLING_TARGET_C.minimum, max_temp: COOLING_TARGET_C.maximum }
    : { min_temp, max_temp }
  return {
    platform: 'climate',
    unique_id: deviceId(id),
    name: null,
    modes: ['off', now.isCooled ? 'cool' : 'heat'],
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
    ...limits,
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
      connectivity: binarySensor(id, 'connectivity', {
        device_class: 'connectivity',
        ...diagnostic(true),
        state_topic: topics.state(id),
        value_template: '{{ value_json.connected }}',
      }),
      problem: problem(id, topics.state(id)),
      away: {
        platform: 'switch',
        unique_id: `${deviceId(id)}_away`,
        name: 'Away',
        icon: 'mdi:home-export-outline',
        state_topic: topics.state(id),
        value_template: '{{ value_json.away }}',
        ...TRUE_OR_FALSE,
        state_on: 'True',
        state_off: 'False',
        command_topic: topics.command(id, 'away'),
      },
      outdoor_temperature: sensor(id, 'outdoor_temperature', {
        ...measured('temperature', '°C'),
        name: 'Outdoor temperature',
        state_topic: topics.state(id),
      }),
    },
  }
}

const sensor = (id: string, key: string, rest: object) => ({
  platform: 'sensor',
  unique_id: `${deviceId(id)}_${key}`,
  value_template: `{{ value_json.${key} }}`,
  ...rest,
})

/** As Home Assistant's templates write what is true in JSON. */
const TRUE_OR_FALSE = { payload_on: 'True', payload_off: 'False' }

const binarySensor = (id: string, key: string, rest: object) => ({
  ...sensor(id, key, rest),
  platform: 'binary_sensor',
  ...TRUE_OR_FALSE,
})

/** Every open alert is named beside, also what does not count as a problem. */
const problem = (id: string, state_topic: string) =>
  binarySensor(id, 'problem', {
    device_class: 'problem',
    ...diagnostic(true),
    state_topic,
    json_attributes_topic: state_topic,
    json_attributes_template: "{{ {'alerts': value_json.alerts} | tojson }}",
  })

const button = (id: string, key: string, name: string, topics: Topics) => ({
  platform: 'button',
  unique_id: `${deviceId(id)}_${key}`,
  name,
  command_topic: topics.command(id, key),
})

const measured = (device_class: string, unit_of_measurement: string) => ({
  device_class,
  unit_of_measurement,
  state_class: 'measurement',
})

const seldomSet = { entity_category: 'config', enabled_by_default: false }

const diagnostic = (enabled_by_default: boolean) => ({ entity_category: 'diagnostic', enabled_by_default })

type Alerts = Pick<AppAlert, 'kind' | 'room_id'>[]

/** What can be seen beside is not counted as a problem again. */
const NO_PROBLEM: AppAlert['kind'][] = ['window_open', 'battery_low', 'floor_limit', 'mould_risk', 'close_blinds']

const alertsOf = (alerts: Alerts, roomId: string | null): AppAlert['kind'][] => [
  ...new Set(alerts.filter(({ room_id }) => room_id === roomId).map(({ kind }) => kind)),
]

const hasProblem = (kinds: AppAlert['kind'][]): boolean => kinds.some((kind) => !NO_PROBLEM.includes(kind))

function actionOf({ now, power, hvac_action }: RoomNow) {
  if (now.mode === 'off' && power === 0) return 'off'
  return now.isCooled && power > 0 ? 'cooling' : hvac_action
}

export function roomState(room: RoomNow, air: RoomAir | undefined, alertsOfBuilding: Alerts): object {
  const alerts = alertsOf(alertsOfBuilding, room.id)
  return {
    mode: room.now.mode === 'heat' && room.now.isCooled ? 'cool' : room.now.mode,
    action: actionOf(room),
    target: room.now.setpoint,
    setpoint: room.now.setpoint,
    base: room.target_temperature,
    target_of: room.now.targetOf,
    floor_minimum: room.now.floorMinimumC,
    override_until: room.now.overrideUntil,
    window: alerts.includes('window_open'),
    close_blinds: alerts.includes('close_blinds'),
    problem: hasProblem(alerts),
    alerts,
    preset: room.preset_mode,
    temperature: room.current_temperature,
    humidity: room.current_humidity,
    dew_point: air?.dew_point ?? null,
    mould_risk: air?.mould_risk ?? null,
    power: Math.round(room.power * 1000) / 10,
    battery: room.sensor?.batt ?? null,
    signal: room.sensor?.rssi ?? null,
    measured_at: room.sensor?.timestamp ?? null,
  }
}

/** Null stays null: a building without a gateway is not one that is down. */
export const buildingState = (
  { available, weather }: Building,
  away: BuildingAway | null,
  alerts: Alerts,
  nowMs: number,
): object => ({
  connected: available,
  problem: hasProblem(alertsOf(alerts, null)),
  alerts: alertsOf(alerts, null),
  away: away !== null && Date.parse(away.from) <= nowMs,
  outdoor_temperature: weather?.temperature ?? null,
})

export const buildingAvailability = ({ available }: Building): string => (available === true ? ONLINE : OFFLINE)
