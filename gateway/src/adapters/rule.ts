import { isObject, parseJson, textOf } from '../base/json.ts'
import { derivedId, floorId, pairsOf } from '../base/sensor-id.ts'
import { valueIn } from '../profiles/path.ts'
import type { Condition, SensorRule } from '../profiles/schema.ts'
import { filled, type Scope } from '../profiles/template.ts'
import { topicPattern } from '../profiles/topic.ts'
import {
  batteryOf,
  type Claim,
  celsiusOf,
  type DeviceMessage,
  ignored,
  isNumber,
  isUnsureCelsius,
  judge,
  Refusal,
  signalOf,
  together,
  type Understood,
  understood,
  unsureCelsius,
} from './adapter.ts'
import type { Companions } from './companions.ts'
import { notARoom } from './not-a-room.ts'
import { quantityIn } from './quantity.ts'
import { timeOf } from './time.ts'

/** A rule, and how its numbers and names are taken. */
interface RuleParts {
  rule: SensorRule
  /** Part of the derived id, so that two families never share one. */
  family: string
  companions: Companions
  /** Nobody has said whether its bare values are Celsius. */
  mustAsk: boolean
}

interface RuleReader {
  subscriptions: string[]
  /** Undefined when the message is not this rule's. */
  read(message: DeviceMessage): Understood | undefined
}

const LONGEST_BARE = 64
const LONGEST_FORM = 4096
/** `tempinf=70.5&humidityin=47`, as weather stations send it. */
const FORM = /^[\w.-]+=[^&\s]*(?:&[\w.-]+=[^&\s]*)*$/

export function ruleReader(parts: RuleParts): RuleReader {
  const patterns = list(parts.rule.topic).map(topicPattern)
  return {
    subscriptions: patterns.map((pattern) => pattern.subscription),
    read(message) {
      for (const pattern of patterns) {
        const named = pattern.match(message.topic)
        if (named) return readMessage(parts, named, message)
      }
      return undefined
    },
  }
}

function readMessage(
  parts: RuleParts,
  topic: Record<string, string>,
  { payload, nowMs }: DeviceMessage,
): Understood | undefined {
  const { rule } = parts
  const message = contentOf(payload)
  if (message === undefined) return ignored('neither JSON nor a number')
  if (rule.within !== undefined) {
    const item = list(rule.within)
      .map((path) => valueIn(message, path))
      .find(isObject)
    return item && readItem(parts, { topic, item, message }, nowMs)
  }
  if (rule.each === undefined) return readItem(parts, { topic, item: message, message }, nowMs)
  const container = valueIn(message, rule.each)
  if (!isObject(container) && !Array.isArray(container)) return undefined
  const items = Object.entries(container)
    .map(([key, item]) => readItem(parts, { topic: { ...topic, key }, item, message }, nowMs))
    .filter((each) => each !== undefined)
  return items.length > 0 ? together(items) : undefined
}

/** JSON, a form, or a bare word or number. */
function contentOf(payload: Uint8Array): unknown {
  const value = parseJson(payload)
  if (value !== undefined) return value
  const form = payload.length <= LONGEST_FORM ? textOf(payload) : ''
  if (FORM.test(form)) return Object.fromEntries([...new URLSearchParams(form)].map(withNumber))
  const text = payload.length <= LONGEST_BARE ? textOf(payload) : ''
  return text === '' ? undefined : text
}

/** The values of a form are text. */
const withNumber = ([name, text]: [string, string]): [string, unknown] => [
  name,
  /^[-+]?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text,
]

function readItem(parts: RuleParts, scope: Scope, nowMs: number): Understood | undefined {
  const { rule, companions } = parts
  if (!(rule.when ?? []).every((condition) => holds(condition, scope))) return undefined
  const against = (rule.unless ?? []).find((condition) => holds(condition, scope))
  if (against) return ignored(against.because)
  const unlike = rule.named === undefined ? undefined : notARoom(filled(rule.named, scope))
  if (unlike) return ignored(unlike)

  const device = rule.device === undefined ? '' : filled(rule.device, scope)
  if (rule.not_a_room !== undefined) return companions.exclude(device, rule.not_a_room)
  const excluded = companions.excluded(device)
  if (excluded !== undefined) return ignored(excluded)

  const { id, name } = identity(parts, scope)
  if (id === undefined) return ignored('no address or name of the sensor')
  const around = rule.within === undefined ? scope : { ...scope, item: scope.message }
  const values = {
    humidity: first(rule.humidity, scope),
    batt: levelOf(first(rule.battery, scope)),
    rssi: first(rule.rssi, around),
  }
  const common = { id, name, measuredMs: timeOf(first(rule.time, around)), ...values }
  if (rule.temperature === undefined && rule.floor === undefined && rule.contact === undefined)
    return companions.keep(id, values, nowMs)
  const claim = { ...companions.fresh(id, nowMs), ...present(common) }
  return together([
    ...readTemperature(parts, scope, claim),
    ...readFloor(parts, scope, common),
    ...readContact(parts, scope, common),
  ])
}

function readTemperature(parts: RuleParts, scope: Scope, claim: Omit<Claim, 'temperature'>): Understood[] {
  if (parts.rule.temperature === undefined) return []
  const judged = judge({ ...claim, temperature: temperatureAt(parts.rule.temperature, scope, parts) })
  return [judged.ok ? understood({ readings: [judged.measured] }) : ignored(judged.why)]
}

function readFloor(parts: RuleParts, scope: Scope, { id, ...common }: Omit<Claim, 'temperature'>): Understood[] {
  if (parts.rule.floor === undefined || id === undefined) return []
  const temperature = temperatureAt(parts.rule.floor, scope, parts)
  const judged = judge({ ...common, id: floorId(id), temperature })
  return [judged.ok ? understood({ floors: [judged.measured] }) : ignored(judged.why)]
}

function readContact(
  { rule }: RuleParts,
  scope: Scope,
  { id, name, batt, rssi, measuredMs }: Omit<Claim, 'temperature'>,
) {
  if (rule.contact === undefined || id === undefined) return []
  const { path, open, closed } = rule.contact
  const value = valueIn(scope.item, path)
  const same = (a: unknown, b: unknown) => a === b || String(a).toLowerCase() === String(b).toLowerCase()
  if (value === undefined || value === null) return [ignored('no contact in it')]
  const isOpen = same(value, open)
  if (!isOpen && closed !== undefined && !same(value, closed))
    return [ignored(`${JSON.stringify(value)} is no contact`)]
  const contact = {
    id,
    name: name ?? null,
    open: isOpen,
    batt: batteryOf(batt),
    rssi: signalOf(rssi),
    measuredMs: measuredMs ?? null,
  }
  return [understood({ contacts: [contact] })]
}

/** An address in the message, else an id derived from the family and the place. */
function identity({ rule, family }: RuleParts, scope: Scope): { id: string | undefined; name: string | null } {
  for (const text of rule.address ? list(rule.address) : []) {
    const id = pairsOf(filled(text, scope))
    if (id) return { id, name: null }
  }
  const name = rule.sensor === undefined ? '' : filled(rule.sensor, scope)
  if (name === '') return { id: undefined, name: null }
  return family === '' ? { id: pairsOf(name) ?? derivedId(name), name } : { id: derivedId(`${family}/${name}`), name }
}

function temperatureAt(where: NonNullable<SensorRule['temperature']>, scope: Scope, parts: RuleParts): unknown {
  const { rule } = parts
  const reportedUnit =
    rule.unit_at === undefined
      ? undefined
      : unitIn(valueIn(scope.item, rule.unit_at) ?? valueIn(scope.message, rule.unit_at))
  const sources = typeof where === 'string' ? [{ path: where }] : where
  for (const { path, unit } of sources as { path: string; unit?: 'C' | 'F' }[]) {
    const found = valueIn(scope.item, path)
    const value = numberIn(found)
    if (value === undefined || value === null) continue
    const said = unitAfter(found)
    if (said === '%') return new Refusal(`${found} is not a temperature`)
    const known = unitIn(said) ?? unit ?? reportedUnit ?? asUnit(rule.unit)
    if (known === undefined && parts.mustAsk && isUnsureCelsius(value))
      return new Refusal(`${unsureCelsius(value)}; set unit of the profile`)
    return celsiusOf(scaled(value, rule), known ?? 'C')
  }
  return undefined
}

const unitAfter = (value: unknown): string | undefined =>
  typeof value === 'string' ? quantityIn(value)?.unit : undefined

const scaled = (value: unknown, { scale = 1, offset = 0 }: SensorRule): unknown =>
  typeof value === 'number' ? value * scale + offset : value

const asUnit = (unit: SensorRule['unit']): 'C' | 'F' | undefined => (unit === '{unit}' ? undefined : unit)

/** `°F`, `℉`, `F`, `fahrenheit` and the like. */
export function unitIn(value: unknown): 'C' | 'F' | undefined {
  const letter =
    typeof value === 'string'
      ? /^(?:°|º|deg)?\s*([CF]|celsius|fahrenheit)$/i.exec(value.normalize('NFKC').trim())?.[1]
      : undefined
  return letter === undefined ? undefined : letter.toUpperCase().startsWith('F') ? 'F' : 'C'
}

function first(where: string | string[] | undefined, scope: Scope): unknown {
  for (const path of where === undefined ? [] : list(where)) {
    const value = numberIn(valueIn(scope.item, path) ?? valueIn(scope.message, path))
    if (value !== undefined && value !== null) return value
  }
  return undefined
}

/** A bare payload is text, and many decoders put their numbers in quotes, some with a unit. */
const numberIn = (value: unknown): unknown => (typeof value === 'string' ? (quantityIn(value)?.value ?? value) : value)

const HIGHEST_VOLTAGE = 5
const LOWEST_MILLIVOLTS = 1000

/** Under the name of a battery level some devices report volts or millivolts. */
const levelOf = (value: unknown): unknown =>
  isNumber(value) && (value >= LOWEST_MILLIVOLTS || (value < HIGHEST_VOLTAGE && !Number.isInteger(value)))
    ? undefined
    : value

function holds({ of, at, in: listed, matches, has, field }: Condition, scope: Scope): boolean {
  if (field !== undefined) {
    const name = new RegExp(field, 'i')
    return isObject(scope.item) && Object.keys(scope.item).some((each) => name.test(each))
  }
  if (has !== undefined) return list(has).some((path) => valueIn(scope.item, path) !== undefined)
  const text = at === undefined ? (of === undefined ? '' : filled(of, scope)) : String(valueIn(scope.item, at) ?? '')
  if (listed) return listed.includes(text)
  return matches === undefined ? text !== '' : new RegExp(matches, 'i').test(text)
}

const list = (value: string | string[]): string[] => (typeof value === 'string' ? [value] : value)

const present = <T extends object>(values: T): T =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== null)) as T
