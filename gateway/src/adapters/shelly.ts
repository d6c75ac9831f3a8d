import { isObject, type JsonObject, parseObject } from '../base/json.ts'
import { derivedId } from '../base/sensor-id.ts'
import { topicPattern } from '../profiles/topic.ts'
import { type Adapter, type Claim, heard, ignored, isNumber, together, type Understood, understood } from './adapter.ts'
import { OF_WHAT_IS_WET } from './bthome-objects.ts'
import { Companions } from './companions.ts'
import { addressOf, componentsIn, deviceId, learn, type ShellyDevice, shellyDevice } from './shelly-device.ts'
import { ShellyQuestions } from './shelly-questions.ts'
import { timeOf } from './time.ts'

const PLACES = ['{device}/events/rpc', '{device}/status/{component}', '{device}/status', '{device}/rpc'].map(
  topicPattern,
)
const ADD_ON_FROM = 100
const MOST_DEVICES = 4096

/** Shelly's own sensors of Gen2 and later: H&T, Wall Display, BLU thermostats and Bluetooth sensors behind a gateway. */
export function shelly({ replyTo }: { replyTo: string | null }): Adapter {
  const devices = new Map<string, ShellyDevice>()
  /** Topics begin with the device's id unless its owner chose another prefix. */
  const nameOfPrefix = new Map<string, string>()
  const companions = new Companions()
  const questions = new ShellyQuestions(replyTo)

  const deviceOf = (name: string): ShellyDevice => {
    const device = devices.get(name) ?? shellyDevice(name)
    if (devices.size < MOST_DEVICES) devices.set(name, device)
    return device
  }

  const senderOf = (topic: string, prefix: string, said: JsonObject): ShellyDevice => {
    const named = typeof said.src === 'string' && said.src !== '' ? said.src : undefined
    if (topic.endsWith('/events/rpc') && named && nameOfPrefix.size < MOST_DEVICES) nameOfPrefix.set(prefix, named)
    return deviceOf(named ?? nameOfPrefix.get(prefix) ?? prefix)
  }

  return {
    subscriptions: PLACES.map(({ subscription }) => subscription),
    questions: () => questions.take(),
    understand(message) {
      const { topic, payload, nowMs } = message
      const place = PLACES.map((each) => each.match(topic)).find((found) => found !== undefined) ?? {}
      const prefix = place.device ?? ''
      const said = parseObject(payload)
      if (!said) return ignored('not a JSON object')
      if (topic === `${prefix}/rpc` && said.method !== undefined) return ignored('a question to the device')
      const components = componentsIn(said, place.component)
      if (!components) return ignored('no status of a component in it')
      const device = questions.answered(said) ?? senderOf(topic, prefix, said)
      learn(device, components)
      const time = timeOf(isObject(said.params) ? said.params.ts : undefined)
      const ask = () => questions.ask(device, prefix, nowMs)
      const parts = Object.entries(components).flatMap(([key, part]) =>
        isObject(part) ? [componentMeans({ device, key, part, time, nowMs, all: components, companions, ask })] : [],
      )
      return together(parts.filter((part) => part !== undefined))
    },
  }
}

interface Component {
  device: ShellyDevice
  key: string
  part: JsonObject
  time: number | null
  nowMs: number
  all: JsonObject
  companions: Companions
  /** Asks the device what its components measure. */
  ask(): void
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
      return reading(component, ofDevice(component), component.part.current_C)
    case 'blutrv':
      return reading(component, { id: placeId(component), name: placeOf(component) }, component.part.current_C)
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
  return reading(component, ofDevice(component), temperature)
}

/** A value that only the configuration explains: a Bluetooth object, or a number of the device's own service. */
function valueMeans(component: Component): Understood | undefined {
  const { device, key, part, time } = component
  const { value } = part
  if (value === undefined) return undefined
  const known = device.parts.get(key)
  if (known === undefined) {
    component.ask()
    return ignored(`${key} does not say what it measures until the Shelly answers; else name it under sensors.mqtt`)
  }
  const { role, address, index } = known
  if (address !== undefined && device.thermostats.has(address))
    return ignored('a value of a BLU thermostat, which reports its temperature itself')
  if (role === 'temperature' && address !== undefined && device.wet.has(address)) return ignored(OF_WHAT_IS_WET)
  const own = key.startsWith('number:')
  const id = own ? deviceId(device) : address !== undefined && index === 0 ? address : placeId(component)
  const name = id === address ? null : placeOf(component)
  switch (role) {
    case 'temperature':
      return reading(component, { id, name: own && addressOf(device) ? null : name }, value)
    case 'humidity':
      return keep(component, id, { humidity: value })
    case 'battery':
      return keep(component, id, { batt: value })
    case 'contact': {
      const measuredMs = timeOf(part.last_updated_ts) ?? time
      return understood({ contacts: [{ id, name, open: Boolean(value), batt: null, rssi: null, measuredMs }] })
    }
    case 'wet':
    case 'other':
      return undefined
  }
}

const ofDevice = (component: Component) => ({
  id: deviceId(component.device),
  name: addressOf(component.device) === undefined ? placeOf(component) : null,
})

function reading(component: Component, { id, name }: { id: string; name: string | null }, temperature: unknown) {
  const { device, part, time, nowMs, all, companions } = component
  const beside = id === deviceId(device) ? { humidity: humidityIn(all, device), batt: deviceBattery(all) } : {}
  const claim: Partial<Claim> = {
    ...companions.fresh(id, nowMs),
    ...present(beside),
    ...present({ batt: part.battery, rssi: part.rssi }),
  }
  return heard({ ...claim, id, name, temperature, measuredMs: timeOf(part.last_updated_ts) ?? time })
}

const deviceBattery = (all: JsonObject): unknown =>
  isObject(all['devicepower:0']) ? batteryIn(all['devicepower:0']) : undefined

const humidityIn = (all: JsonObject, device: ShellyDevice): unknown => {
  const sensor = all['humidity:0']
  if (isObject(sensor)) return sensor.rh
  for (const [key, { role }] of device.parts) {
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

const placeOf = ({ device, key }: Component): string => `${device.name}/${key}`

const placeId = (component: Component): string => derivedId(`shelly/${placeOf(component)}`)

const present = <T extends object>(values: T): Partial<T> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== null)) as Partial<T>
