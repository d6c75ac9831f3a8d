import type { ProfileUse, SensorSources } from '../adapters/index.ts'
import { TASMOTA_FULL_TOPICS } from '../adapters/tasmota.ts'
import { isSensorId, sensorIdOf } from '../base/sensor-id.ts'
import { profiles } from '../profiles/load.ts'
import { parsePath } from '../profiles/path.ts'
import type { SensorRule } from '../profiles/schema.ts'
import type { Fault } from './fault.ts'
import { type FileSensors, isProfileEntry, type MqttSensor, type ProfileEntry } from './sensors-schema.ts'

const BTHOME_TOPICS = ['+/events/ble', 'bthome/#']

/** The profiles that are read without being named. */
const alwaysRead = (): string[] =>
  [...profiles().values()].filter((profile) => profile.always).map((profile) => profile.profile)

export function sourcesOf(sensors: FileSensors): SensorSources {
  const entries = sensors.mqtt ?? []
  const named = entries.filter(isProfileEntry).map(({ profile, ...parameters }) => ({ profile, parameters }))
  return {
    profiles: [...alwaysUsed(sensors, named), ...named],
    rules: [
      ...entries.flatMap((entry) => (isProfileEntry(entry) ? [] : [ruleOf(entry)])),
      ...(sensors.esphome ?? []).flatMap(esphomeRules),
    ],
    bthome: {
      topics: sensors.bthome?.topics ?? BTHOME_TOPICS,
      keys: new Map(sensors.bthome?.keys?.map(({ sensor, key }) => [sensor.replaceAll(':', '').toLowerCase(), key])),
    },
    tasmota: {
      fullTopics: sensors.tasmota_full_topic === undefined ? TASMOTA_FULL_TOPICS : [sensors.tasmota_full_topic],
      named: (sensors.tasmota ?? []).map(({ sensor, device, name }) => ({ id: sensorIdOf(sensor), device, name })),
    },
  }
}

/** Every profile with its defaults, for a message without a configuration. */
export function sourcesOfAllProfiles(): SensorSources {
  const all = [...profiles().keys()].map((profile) => ({ profile, parameters: {} }))
  return { ...sourcesOf({}), profiles: all }
}

/** Those read anyway, with the base topics of the file; one that is named under `mqtt` is used as named there. */
function alwaysUsed({ openmqttgateway, zigbee2mqtt }: FileSensors, named: readonly ProfileUse[]): ProfileUse[] {
  const bases: Record<string, { base: string } | undefined> = { openmqttgateway, zigbee2mqtt }
  return alwaysRead()
    .filter((profile) => !named.some((use) => use.profile === profile))
    .map((profile) => ({ profile, parameters: bases[profile] ?? {} }))
}

function ruleOf({ contact, when = {}, ...entry }: MqttSensor): SensorRule {
  const { temperature, floor, humidity, battery, rssi } = entry
  const bare =
    contact === undefined && [temperature, floor, humidity, battery, rssi].every((path) => path === undefined)
  return {
    ...entry,
    ...(bare && { temperature: '.' }),
    when: Object.entries(when).map(([at, values]) => ({ at, in: [values].flat().map(String) })),
    ...(contact && { contact: { ...contact, path: contact.path ?? '.' } }),
  }
}

const esphomeRules = ({ sensor, temperature, humidity }: NonNullable<FileSensors['esphome']>[number]): SensorRule[] => [
  { topic: temperature, sensor, temperature: '.' },
  ...(humidity === undefined ? [] : [{ topic: humidity, sensor, humidity: '.' }]),
]

/** Faults no schema can find, at their place below `sensors`. */
export function sensorFaults(sensors: FileSensors): Fault[] {
  const entries = sensors.mqtt ?? []
  const faults = entries.flatMap((entry, i) =>
    (isProfileEntry(entry) ? profileFaults(entry) : pathFaults(entry)).map(({ path, message }) => ({
      path: ['sensors', 'mqtt', i, ...path],
      message,
    })),
  )
  return [...faults, ...collisions(sensors)]
}

function profileFaults({ profile, ...parameters }: ProfileEntry): Fault[] {
  const known = profiles().get(profile)
  if (!known)
    return [
      { path: ['profile'], message: `there is no profile ${profile}; there are: ${[...profiles().keys()].join(', ')}` },
    ]
  const allowed = Object.keys(known.parameters ?? {})
  return Object.keys(parameters)
    .filter((name) => !allowed.includes(name))
    .map((name) => ({
      path: [name],
      message: `this profile has no such setting; it has: ${allowed.join(', ') || 'none'}`,
    }))
}

const NOT_A_PATH = 'is not a path; write it like params["temperature:0"].tC'

function pathFaults(entry: MqttSensor): Fault[] {
  const fields = ['temperature', 'floor', 'humidity', 'battery', 'rssi', 'time'] as const
  const values = fields.flatMap((field) =>
    entry[field] !== undefined && !parsePath(entry[field]) ? [{ path: [field], message: NOT_A_PATH }] : [],
  )
  const conditions = Object.keys(entry.when ?? {}).flatMap((path) =>
    parsePath(path) ? [] : [{ path: ['when'], message: `"${path}" ${NOT_A_PATH}` }],
  )
  return [...values, ...conditions]
}

/** Names that stand for sensors in the file, and the addresses written in it. */
const namesIn = (sensors: FileSensors): string[] => [
  ...(sensors.mqtt ?? []).flatMap((entry) => (isProfileEntry(entry) ? [] : [entry.sensor])),
  ...(sensors.tasmota ?? []).map(({ sensor }) => sensor),
  ...(sensors.esphome ?? []).map(({ sensor }) => sensor),
]

export const sensorNamesOf = (sensors: FileSensors): ReadonlyMap<string, string> =>
  new Map(namesIn(sensors).flatMap((name) => (isSensorId(name) ? [] : [[sensorIdOf(name), name] as const])))

/** Two names must not become one id. */
function collisions(sensors: FileSensors): Fault[] {
  const owners = new Map<string, string>()
  return namesIn(sensors).flatMap((name) => {
    const id = sensorIdOf(name)
    const owner = owners.get(id) ?? name
    owners.set(id, owner)
    const same = owner === name || (isSensorId(owner) && isSensorId(name))
    return same
      ? []
      : [{ path: ['sensors'], message: `the names "${owner}" and "${name}" get the same id; rename one` }]
  })
}
