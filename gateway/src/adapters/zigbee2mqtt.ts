import { isObject, type JsonObject, parseJson, parseObject } from '../base/json.ts'
import { derivedId, endpointId, floorId, pairsOf } from '../base/sensor-id.ts'
import {
  type Adapter,
  batteryOf,
  type Claim,
  type Contact,
  type DeviceMessage,
  ignored,
  judge,
  together,
  type Understood,
  understood,
} from './adapter.ts'
import { OF_A_LEAK_SENSOR } from './not-a-room-words.ts'
import { timeOf } from './time.ts'
import { devicesIn, type ZigbeeDevice } from './zigbee2mqtt-devices.ts'

const CACHE_REPLAY_MS = 60_000

interface Zigbee2mqttSettings {
  base: string
  /** What a name means as long as the bridge has not sent its list of devices. */
  beforeTheList: 'wait' | 'derive'
}

interface Sender {
  id: string
  name: string | null
  device: ZigbeeDevice | undefined
}

/** In the order they are preferred: thermostats report the room and sometimes also another temperature. */
const ROOM = /^(room_temperature|local_temperature|temperature|air_temp)(?:_(l\d+|th\d+|\d+|heat))?$/
const PREFERENCE = ['room_temperature', 'local_temperature', 'temperature', 'air_temp']
const FLOOR = new Set(['floor_temperature', 'floor_temp', 'local_temperature_floor', 'cable_sensor_temperature'])
const ELECTRIC =
  /^(?:power|current|energy|state|power_factor|ac_frequency)(?:_(?:[a-z]{0,2}\d+|[abc]|phase_[abc]|left|right|center))?$/
const BATTERY = new Set(['battery', 'battery_low', 'battery_state'])
const AIR_QUALITY = new Set(['co2', 'voc', 'pm25', 'local_temperature'])
const COUNTER = /^(?:multiplier|pulse_count)$/
const NOT_A_ROOM =
  /soil|plant|moisture sensor|pipe|\btds\b|water quality|weather(?! radio)|temp(?:erature)? probe|flower|pool|water (?:meter|level|heater|valve)|watt?ering|stove|outdoor|smart vent|chlorine|pressure monitor|refrigerator|freezer|aquarium|grill|tank|curtain motor|arrival/i
const WATER_OR_WEATHER = /^(?:(?:tds|ph|orp|ec|salinity|free_chlorine)(?:_|$)|wind_|rain)/
const PROBE = /\bprobe\b|on cable|ds18b20|\bntc\b/i
/** By which sensor a thermostat of a floor regulates, and what says that it is the one in the floor. */
const CHOSEN_SENSOR = /^(?:temperature_)?sensor(?:_(?:mode|choose|select|selection|type|source))?$/
const OF_THE_FLOOR = /^(?:floor(?:_temp|_sensor)?|out(?:er)?|ou|outer \(ou\))$/i

/** zigbee2mqtt names devices as people do; the address behind a name is in the retained list of devices. */
export function zigbee2mqtt({ base, beforeTheList }: Zigbee2mqttSettings): Adapter {
  let devices: Map<string, ZigbeeDevice> | undefined
  let replayUntilMs = Number.NEGATIVE_INFINITY

  const senderOf = (name: string): Sender | undefined => {
    // What kind of device it is stands in the list: a pipe or a weather station must not become a room meanwhile.
    if (!devices && beforeTheList === 'wait') return undefined
    const device = devices?.get(name)
    if (device) return { id: device.address, name: null, device }
    const address = pairsOf(/^0x[0-9a-f]{16}$/i.test(name) ? name : undefined)
    if (address) return { id: address, name: null, device }
    if (devices) return undefined
    return { id: derivedId(`zigbee2mqtt/${name}`), name, device }
  }

  const bridge = (name: string, { payload, retained, nowMs }: DeviceMessage): Understood => {
    if (name === 'bridge/devices') {
      devices = devicesIn(parseJson(payload)) ?? devices
      return ignored(`the list of ${devices?.size ?? 0} devices`)
    }
    if (name === 'bridge/state' && !retained && stateOf(payload) === 'online') replayUntilMs = nowMs + CACHE_REPLAY_MS
    return ignored('a message of the bridge itself')
  }

  return {
    subscriptions: [`${base}/#`],
    understand(message) {
      const { topic, payload, nowMs } = message
      const name = topic.slice(base.length + 1)
      if (name.startsWith('bridge/')) return bridge(name, message)
      if (/\/(?:set|get)(?:\/|$)/.test(name)) return ignored('a command to a device')
      if (/\/availability$/.test(name)) return ignored('whether a device is reachable')
      const said = parseObject(payload)
      if (!said) return ignored('not a JSON object')
      const sender = senderOf(name)
      if (!sender) return ignored(devices ? 'not in the list of devices' : 'the list of devices has not arrived yet')
      return meaning(sender, said, nowMs < replayUntilMs)
    },
  }
}

function meaning({ id, name, device }: Sender, said: JsonObject, replaying: boolean): Understood {
  const measuredMs = timeOf(said.last_seen)
  const common = { id, name, measuredMs, repeated: replaying && measuredMs === null, batt: said.battery }
  const contacts = contactIn(said, common)
  const measured = Object.entries(temperaturesIn(said, device)).map(([property, where]) => {
    const claim = { ...common, temperature: said[property], humidity: said[`humidity${where.suffix}`] ?? said.humidity }
    const against = where.floor ? undefined : notARoom(property, said, device)
    if (against) return ignored(against)
    const judged = judge({
      ...claim,
      id: where.floor ? floorId(id) : where.endpoint ? endpointId(id, where.endpoint) : id,
    })
    if (!judged.ok) return ignored(judged.why)
    return where.floor ? understood({ floors: [judged.measured] }) : understood({ readings: [judged.measured] })
  })
  return together([...measured, ...contacts])
}

interface Where {
  floor: boolean
  endpoint: string
  suffix: string
}

/** The properties that are measured temperatures: one of the room for each endpoint, and the floor. */
function temperaturesIn(said: JsonObject, device: ZigbeeDevice | undefined): Record<string, Where> {
  const best = new Map<string, { property: string; rank: number }>()
  const found: Record<string, Where> = {}
  for (const property of Object.keys(said)) {
    if (said[property] === null || device?.settings.has(property)) continue
    if (FLOOR.has(property)) found[property] = { floor: true, endpoint: '', suffix: '' }
    const match = ROOM.exec(property)
    if (!match?.[1]) continue
    const endpoint = match[2] === 'heat' ? '' : (match[2] ?? '')
    const rank = PREFERENCE.indexOf(match[1])
    const other = best.get(endpoint)
    if (!other || rank < other.rank) best.set(endpoint, { property, rank })
  }
  for (const [endpoint, { property }] of best)
    found[property] = { floor: false, endpoint, suffix: endpoint === '' ? '' : `_${endpoint}` }
  return found
}

/** Plugs, breakers and relays report their chip as `temperature`, soil and water sensors what they stand in. */
function notARoom(property: string, said: JsonObject, device: ZigbeeDevice | undefined): string | undefined {
  if (property.startsWith('local_temperature') && isOfTheFloor(said))
    return 'its thermostat is set to the sensor in the floor; set it to that of the room, or to both'
  if (!property.startsWith('temperature')) return undefined
  if (device?.notAir.has(property)) return 'the definition says that this is not the air of a room'
  const has = (keep: (name: string) => boolean) =>
    [...Object.keys(said), ...(device?.properties ?? [])].some((name) => keep(name))
  if (has((name) => name === 'soil_moisture' || name === 'soil_fertility')) return 'the temperature of soil'
  if (has((name) => name.startsWith('water_leak'))) return OF_A_LEAK_SENSOR
  if (has((name) => WATER_OR_WEATHER.test(name))) return 'water or weather, not the air of a room'
  if (has((name) => COUNTER.test(name))) return 'the temperature of a plug, relay or meter, not of a room'
  const description = device?.description ?? ''
  const monitor = has((name) => AIR_QUALITY.has(name))
  if (!monitor && NOT_A_ROOM.test(description)) return `a ${description} does not measure the air of a room`
  const ofTheAir = monitor || has((name) => name === property.replace('temperature', 'humidity'))
  if (!ofTheAir && PROBE.test(description)) return 'an external probe, not the air of a room'
  if (ofTheAir || has((name) => BATTERY.has(name))) return undefined
  return has((name) => ELECTRIC.test(name)) ? 'the temperature of a plug, relay or meter, not of a room' : undefined
}

const isOfTheFloor = (said: JsonObject): boolean =>
  Object.entries(said).some(([name, value]) => CHOSEN_SENSOR.test(name) && OF_THE_FLOOR.test(String(value)))

/** zigbee2mqtt reports `contact: true` for a closed contact. */
function contactIn(said: JsonObject, { id, name, measuredMs, batt }: Omit<Claim, 'temperature'>): Understood[] {
  if (typeof said.contact !== 'boolean' || id === undefined) return []
  const contact: Contact = {
    id,
    name: name ?? null,
    open: !said.contact,
    batt: batteryOf(batt),
    rssi: null,
    measuredMs: measuredMs ?? null,
  }
  return [understood({ contacts: [contact] })]
}

/** `{"state":"online"}`, and in older versions the bare word. */
function stateOf(payload: Uint8Array): unknown {
  const value = parseJson(payload)
  return isObject(value) ? value.state : new TextDecoder().decode(payload)
}
