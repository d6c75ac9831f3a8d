import { isObject, type JsonObject, parseObject } from '../json.ts'
import { topicPattern } from '../profiles/topic.ts'
import { derivedId, pairsOf } from '../sensor-id.ts'
import { type Adapter, type Claim, heard, ignored, isNumber, together, type Understood, understood } from './adapter.ts'
import { objectKind } from './bthome-objects.ts'
import { Companions } from './companions.ts'
import { timeOf } from './time.ts'

/** What a component of a device measures, from the device's configuration when that was heard. */
type Role = 'temperature' | 'humidity' | 'battery' | 'contact' | 'other'

interface Device {
  /** The id in the message: its end is the address. */
  name: string
  roles: Map<string, Role>
  /** Has a humidity sensor or a battery: it is a thermometer, and its chip does not warm it. */
  thermometer: boolean
}

const PLACES = ['{device}/events/rpc', '{device}/status/{component}', '{device}/status', '{device}/rpc'].map(
  topicPattern,
)
const THERMOMETER = /^shelly(?:plus)?ht|^shellyhtg\d|^shellywalldisplay|^shellyblugw.*ht/i
const ADD_ON_FROM = 100

/** Shelly's own sensors of Gen2 and later: H&T, Wall Display, BLU thermostats and Bluetooth sensors behind a gateway. */
export function shelly(): Adapter {
  const devices = new Map<string, Device>()
  const companions = new Companions()

  const deviceOf = (topicName: string, source: unknown): Device => {
    const name = typeof source === 'string' && source.startsWith('shelly') ? source : topicName
    const known = devices.get(name)
    if (known) return known
    const device = { name, roles: new Map<string, Role>(), thermometer: THERMOMETER.test(name) }
    if (devices.size < 4096) devices.set(name, device)
    return device
  }

  return {
    subscriptions: PLACES.map(({ subscription }) => subscription),
    understand(message) {
      const { topic, payload, nowMs } = message
      const place = PLACES.map((each) => each.match(topic)).find((found) => found !== undefined) ?? {}
      const said = parseObject(payload)
      if (!said) return ignored('not a JSON object')
      const device = deviceOf(place.device ?? '', said.src)
      const components = componentsIn(said, place.component)
      if (!components) return ignored('no status of a component in it')
      learn(device, components)
      const time = timeOf(isObject(said.params) ? said.params.ts : undefined)
      const parts = Object.entries(components).flatMap(([key, part]) =>
        isObject(part) ? [componentMeans({ device, key, part, time, nowMs, all: components, companions })] : [],
      )
      return together(parts.filter((part) => part !== undefined))
    },
  }
}

/** The components of a notification, of a status topic, or of the reply to a question. */
function componentsIn(said: JsonObject, component: string | undefined): JsonObject | undefined {
  if (component !== undefined) return { [component]: said }
  if (isObject(said.params)) return said.params
  if (isObject(said.result)) return said.result
  return Object.keys(said).some((key) => /^[a-z]+:\d+$/.test(key)) ? said : undefined
}

/** A battery, a humidity sensor, and in a configuration what each Bluetooth object or number stands for. */
function learn(device: Device, components: JsonObject): void {
  for (const [key, part] of Object.entries(components)) {
    if (!isObject(part)) continue
    if (/^humidity:\d\d?$/.test(key) || (key === 'devicepower:0' && isObject(part.battery))) device.thermometer = true
    if (isNumber(part.obj_id)) device.roles.set(key, objectKind(part.obj_id))
    if (typeof part.role === 'string') device.roles.set(key, roleOf(part.role))
  }
}

const roleOf = (role: string): Role =>
  role === 'current_temperature' ? 'temperature' : role === 'current_humidity' ? 'humidity' : 'other'

interface Component {
  device: Device
  key: string
  part: JsonObject
  time: number | null
  nowMs: number
  all: JsonObject
  companions: Companions
}

function componentMeans(component: Component): Understood | undefined {
  const [kind = '', number = ''] = component.key.split(':')
  switch (kind) {
    case 'temperature':
      return temperatureMeans(component, Number(number))
    case 'humidity':
      return Number(number) < ADD_ON_FROM
        ? keep(component, deviceId(component.device), { humidity: component.part.rh })
        : undefined
    case 'devicepower':
      return keep(component, deviceId(component.device), { batt: batteryIn(component.part) })
    case 'thermostat':
      return reading(component, deviceId(component.device), component.part.current_C)
    case 'blutrv':
      return reading(component, placeId(component), component.part.current_C)
    case 'bthomesensor':
    case 'number':
      return valueMeans(component)
    case 'switch':
    case 'cover':
    case 'light':
    case 'pm1':
    case 'em':
      return isObject(component.part.temperature) ? ignored("the temperature of the Shelly's own chip") : undefined
    default:
      return undefined
  }
}

function temperatureMeans(component: Component, number: number): Understood {
  const { device, part } = component
  if (number >= ADD_ON_FROM) return ignored('a probe on the add-on, not the air of a room')
  if (!device.thermometer)
    return ignored("the temperature of the Shelly's own chip; a thermometer also reports humidity or a battery")
  const temperature = isNumber(part.tC) ? part.tC : isNumber(part.tF) ? ((part.tF - 32) * 5) / 9 : part.tC
  return reading(component, deviceId(device), temperature)
}

function valueMeans(component: Component): Understood | undefined {
  const { device, key, part } = component
  const { value } = part
  if (value === undefined) return undefined
  const id = placeId(component)
  switch (device.roles.get(key)) {
    case 'temperature':
      return reading(component, key.startsWith('number') ? deviceId(device) : id, value)
    case 'humidity':
      return key.startsWith('number') ? keep(component, deviceId(device), { humidity: value }) : ignored('a humidity')
    case 'contact': {
      const measuredMs = timeOf(part.last_updated_ts) ?? component.time
      const contact = { id, name: placeOf(component), open: Boolean(value), batt: null, rssi: null, measuredMs }
      return understood({ contacts: [contact] })
    }
    case undefined:
      return ignored(`${key} does not say what it measures: name it under sensors.mqtt`)
    default:
      return undefined
  }
}

function reading(component: Component, id: string, temperature: unknown): Understood {
  const { device, key, part, time, nowMs, all, companions } = component
  const together: Partial<Claim> = {
    ...companions.fresh(id, nowMs),
    ...present({
      humidity: key.startsWith('blutrv') ? undefined : humidityIn(all, device),
      batt: part.battery ?? (isObject(all['devicepower:0']) ? batteryIn(all['devicepower:0']) : undefined),
      rssi: part.rssi,
    }),
  }
  const measuredMs = timeOf(part.last_updated_ts) ?? time
  return heard({ ...together, id, name: id === addressOf(device) ? null : placeOf(component), temperature, measuredMs })
}

const humidityIn = (all: JsonObject, device: Device): unknown => {
  const sensor = all['humidity:0']
  if (isObject(sensor)) return sensor.rh
  for (const [key, role] of device.roles) {
    const part = all[key]
    if (role === 'humidity' && key.startsWith('number') && isObject(part)) return part.value
  }
  return undefined
}

const batteryIn = ({ battery }: JsonObject): unknown => (isObject(battery) ? battery.percent : undefined)

function keep(
  { companions, nowMs }: Component,
  id: string,
  values: { humidity?: unknown; batt?: unknown },
): Understood {
  return companions.keep(id, { humidity: values.humidity, batt: values.batt, rssi: undefined }, nowMs)
}

/** `shellyhtg3-84fce63ad204` ends in its address. */
const addressOf = ({ name }: Device): string | undefined => pairsOf(/-([0-9a-f]{12})$/i.exec(name)?.[1])

const deviceId = (device: Device): string => addressOf(device) ?? derivedId(`shelly/${device.name}`)

const placeOf = ({ device, key }: Component): string => `${device.name}/${key}`

const placeId = (component: Component): string => derivedId(`shelly/${placeOf(component)}`)

const present = <T extends object>(values: T): Partial<T> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== null)) as Partial<T>
