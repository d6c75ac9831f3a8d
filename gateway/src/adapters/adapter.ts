import { MAX_PLAUSIBLE_C, MIN_PLAUSIBLE_C } from '@hypocaust/domain'
import { isSensorId } from '../base/sensor-id.ts'
import type { Publish } from '../valves/driver.ts'

export interface DeviceMessage {
  topic: string
  payload: Uint8Array
  retained: boolean
  nowMs: number
}

/** A measurement the agent works with. Null where that kind of sensor does not report the value. */
export interface Heard {
  id: string
  temperature: number
  humidity: number | null
  batt: number | null
  rssi: number | null
  measuredMs: number
}

/** A measurement as an adapter understood it, of whatever age. */
export interface Measured extends Omit<Heard, 'measuredMs'> {
  /** The name or place behind a derived id, for people. */
  name: string | null
  /** Null when the message does not carry its time. */
  measuredMs: number | null
  /** A state that the bridge repeats after its start. */
  repeated: boolean
}

/** A window or door contact. */
export interface Contact {
  id: string
  name: string | null
  open: boolean
  batt: number | null
  rssi: number | null
  measuredMs: number | null
}

/** What one message means. `why` is the reason when it means nothing. */
export interface Understood {
  readings: Measured[]
  /** Floor probes of thermostats: a limit for the loop, never the temperature of a room. */
  floors: Measured[]
  contacts: Contact[]
  /** The address of a sensor whose message is encrypted and whose key is not known. */
  sealed: string | null
  why: string | null
}

export interface Adapter {
  readonly subscriptions: readonly string[]
  understand(message: DeviceMessage): Understood
  /** What it wants to know of devices, since it was last asked. */
  questions?(): Publish[]
}

export const ignored = (why: string, sealed: string | null = null): Understood => ({
  readings: [],
  floors: [],
  contacts: [],
  sealed,
  why,
})

export const understood = (parts: Partial<Omit<Understood, 'why' | 'sealed'>>): Understood => ({
  readings: [],
  floors: [],
  contacts: [],
  sealed: null,
  ...parts,
  why: null,
})

/** Everything several adapters or parts of one message understood; the first reason when it is nothing. */
export function together(all: readonly Understood[]): Understood {
  const readings = byId(all.flatMap((each) => each.readings))
  const floors = byId(all.flatMap((each) => each.floors))
  const contacts = byId(all.flatMap((each) => each.contacts))
  const nothing = readings.length + floors.length + contacts.length === 0
  const sealed = all.find((each) => each.sealed)?.sealed ?? null
  return {
    readings,
    floors,
    contacts,
    sealed,
    why: nothing ? (all.find((each) => each.why)?.why ?? 'no temperature in it') : null,
  }
}

/** One of each sensor: two profiles may know the same topic. */
const byId = <T extends { id: string }>(all: readonly T[]): T[] => [
  ...new Map(all.map((each) => [each.id, each])).values(),
]

/** What a message claims of one sensor, before anything is believed. */
export interface Claim {
  id: string | undefined
  name?: string | null
  temperature: unknown
  humidity?: unknown
  batt?: unknown
  rssi?: unknown
  measuredMs?: number | null
  repeated?: boolean
}

/** What a DS18B20 reports before its first conversion. */
const POWER_ON_C = 85

/** Why a value that is there is not taken for a temperature. */
export class Refusal {
  readonly why: string

  constructor(why: string) {
    this.why = why
  }
}

export type Judged = { ok: true; measured: Measured } | { ok: false; why: string }

/** The claim as a measurement, or why no room can be meant. */
export function judge(claim: Claim): Judged {
  const { id, temperature } = claim
  if (id === undefined || !isSensorId(id)) return { ok: false, why: 'no address or name of the sensor' }
  if (temperature === undefined || temperature === null) return { ok: false, why: 'no temperature in it' }
  if (temperature instanceof Refusal) return { ok: false, why: temperature.why }
  if (!isNumber(temperature)) return { ok: false, why: `${shown(temperature)} is not a temperature` }
  const celsius = round(temperature, 100)
  if (celsius === POWER_ON_C) return { ok: false, why: '85 °C is the power-on value of a sensor' }
  if (celsius < MIN_PLAUSIBLE_C || celsius > MAX_PLAUSIBLE_C)
    return { ok: false, why: `${celsius} °C is outside ${MIN_PLAUSIBLE_C} to ${MAX_PLAUSIBLE_C} °C` }
  return {
    ok: true,
    measured: {
      id,
      name: claim.name ?? null,
      temperature: celsius,
      humidity: humidityOf(claim.humidity),
      batt: batteryOf(claim.batt),
      rssi: signalOf(claim.rssi),
      measuredMs: claim.measuredMs ?? null,
      repeated: claim.repeated ?? false,
    },
  }
}

/** The claim as what a message means. */
export function heard(claim: Claim): Understood {
  const judged = judge(claim)
  return judged.ok ? understood({ readings: [judged.measured] }) : ignored(judged.why)
}

/** No air is that dry: the sensor has none, or reports a fraction. */
const NO_HUMIDITY = 1

export const humidityOf = (value: unknown): number | null =>
  isNumber(value) && value > NO_HUMIDITY && value <= 100 ? round(value, 100) : null

export const batteryOf = (value: unknown): number | null =>
  isNumber(value) ? Math.round(Math.min(100, Math.max(0, value))) : null

/** Only dBm: what a receiver hears is always negative. */
export const signalOf = (value: unknown): number | null =>
  isNumber(value) && value >= -150 && value < 0 ? round(value, 100) : null

export const celsiusOf = (value: unknown, unit: 'C' | 'F'): unknown =>
  unit === 'F' && isNumber(value) ? ((value - 32) * 5) / 9 : value

/** From here on a value without a unit is more likely Fahrenheit than a room. */
const CERTAINLY_CELSIUS_UP_TO = 45

/** Whether a value whose unit nobody names may be Fahrenheit. */
export const isUnsureCelsius = (value: unknown): value is number => isNumber(value) && value > CERTAINLY_CELSIUS_UP_TO

export const unsureCelsius = (value: number): string => `${value} without a unit: no room, or Fahrenheit`

/** MQTT's own topic matching: `+` is one level, `#` the rest. */
export function topicMatches(pattern: string, topic: string): boolean {
  const want = pattern.split('/')
  const have = topic.split('/')
  for (const [i, level] of want.entries()) {
    if (level === '#') return true
    if (i >= have.length || (level !== '+' && level !== have[i])) return false
  }
  return want.length === have.length
}

export const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)

export const round = (value: number, steps: number): number => Math.round(value * steps) / steps

const shown = (value: unknown): string => JSON.stringify(value)?.slice(0, 40) ?? 'that'
