import { isObject, type JsonObject } from '../base/json.ts'
import { derivedId, pairsOf } from '../base/sensor-id.ts'
import { isNumber } from './adapter.ts'
import { objectKind } from './bthome-objects.ts'

/** What a component measures. */
export type Role = 'temperature' | 'humidity' | 'battery' | 'contact' | 'wet' | 'other'

interface Part {
  role: Role
  /** The Bluetooth device behind the component. */
  address: string | undefined
  /** Counts the values of one kind that a Bluetooth device has. */
  index: number
}

export interface ShellyDevice {
  /** The id that the device sends as `src`: its end is the address. */
  name: string
  /** What stands in the configuration, as far as it was heard. */
  parts: Map<string, Part>
  /** Bluetooth thermostats: their component reports them, and the first of their temperatures is the target. */
  thermostats: Set<string>
  /** Bluetooth devices that detect moisture. */
  wet: Set<string>
  /** Has a humidity sensor or a battery: it is a thermometer, and its chip does not warm it. */
  thermometer: boolean
}

const THERMOMETER = /^shelly(?:plus)?ht|^shellyhtg\d|^shellywalldisplay|^shellyblugw.*ht/i

export const shellyDevice = (name: string): ShellyDevice => ({
  name,
  parts: new Map(),
  thermostats: new Set(),
  wet: new Set(),
  thermometer: THERMOMETER.test(name),
})

/** A battery, a humidity sensor, and in a configuration what each Bluetooth object or number stands for. */
export function learn(device: ShellyDevice, components: JsonObject): void {
  for (const [key, part] of Object.entries(components)) {
    if (!isObject(part)) continue
    if (/^humidity:\d\d?$/.test(key) || (key === 'devicepower:0' && isObject(part.battery))) device.thermometer = true
    const address = pairsOf(part.addr)
    if (key.startsWith('blutrv:') && address) device.thermostats.add(address)
    const index = isNumber(part.idx) ? part.idx : 0
    if (isNumber(part.obj_id)) {
      const role = objectKind(part.obj_id)
      device.parts.set(key, { role, address, index })
      if (role === 'wet' && address) device.wet.add(address)
    }
    if (typeof part.role === 'string') device.parts.set(key, { role: roleOf(part.role), address: undefined, index: 0 })
  }
}

const roleOf = (role: string): Role =>
  role === 'current_temperature' ? 'temperature' : role === 'current_humidity' ? 'humidity' : 'other'

/** `shellyhtg3-84fce63ad204` ends in its address. */
export const addressOf = ({ name }: ShellyDevice): string | undefined => pairsOf(/-([0-9a-f]{12})$/i.exec(name)?.[1])

export const deviceId = (device: ShellyDevice): string => addressOf(device) ?? derivedId(`shelly/${device.name}`)

/** The components of a notification, of a status topic, or of the reply to a question. */
export function componentsIn(said: JsonObject, component: string | undefined): JsonObject | undefined {
  if (component !== undefined) return { [component]: said }
  if (isObject(said.result)) return isList(said.result.components) ? listed(said.result.components) : said.result
  if (isObject(said.params)) return said.params
  return Object.keys(said).some((key) => /^[a-z]+:\d+$/.test(key)) ? said : undefined
}

const isList = (value: unknown): value is unknown[] => Array.isArray(value)

/** `Shelly.GetComponents` lists them with configuration and status apart. */
const listed = (components: unknown[]): JsonObject =>
  Object.fromEntries(
    components.flatMap((each) =>
      isObject(each) && typeof each.key === 'string'
        ? [[each.key, { ...asObject(each.config), ...asObject(each.status) }]]
        : [],
    ),
  )

const asObject = (value: unknown): JsonObject => (isObject(value) ? value : {})
