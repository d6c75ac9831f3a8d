import type { Heard } from '../adapters/adapter.ts'
import { isObject, parseJson, textOf } from '../base/json.ts'

/** Where a number comes from. */
export type ValueSource = { sensorId: string } | { topic: string; path: string | null }

/** What can be: a sensor that reports anything else is broken, as one on an open wire is with -127 °C. */
export const PLAUSIBLE = {
  waterC: { minimum: -50, maximum: 150 },
  outdoorC: { minimum: -60, maximum: 60 },
  percent: { minimum: 0, maximum: 100 },
  powerW: { minimum: -1_000_000, maximum: 1_000_000 },
} as const

/** A number that a sensor or a topic reports now and then. */
export class SubscribedValue {
  readonly #from: ValueSource
  readonly #of: keyof typeof PLAUSIBLE
  #last: { value: number; atMs: number } | null = null

  constructor(from: ValueSource, of: keyof typeof PLAUSIBLE) {
    this.#from = from
    this.#of = of
  }

  get subscriptions(): string[] {
    return 'topic' in this.#from ? [this.#from.topic] : []
  }

  /** The last one, while it is younger than this. */
  valueWithin(countsMs: number, nowMs: number): number | null {
    return this.#last && nowMs - this.#last.atMs <= countsMs ? this.#last.value : null
  }

  receive(topic: string, payload: Uint8Array, nowMs: number): void {
    if (!('topic' in this.#from) || topic !== this.#from.topic) return
    const value = numberOf(valueAt(payload, this.#from.path))
    if (value !== null) this.#take(value, nowMs)
  }

  hear({ id, temperature, measuredMs }: Heard, wallMs: number, nowMs: number): void {
    if (!('sensorId' in this.#from) || this.#from.sensorId !== id) return
    this.#take(temperature, nowMs - Math.max(0, wallMs - measuredMs))
  }

  #take(value: number, atMs: number): void {
    const { minimum, maximum } = PLAUSIBLE[this.#of]
    this.#last = value >= minimum && value <= maximum ? { value, atMs } : null
  }
}

/** A value inside a JSON payload, by names with dots between them; without a path the whole payload. */
export function valueAt(payload: Uint8Array, path: string | null): unknown {
  if (path === null) return textOf(payload)
  let value: unknown = parseJson(payload)
  for (const name of path.split('.')) value = isObject(value) ? value[name] : undefined
  return value
}

/** A number, also in quotes; an empty text, a switch or a list is none. */
export function numberOf(said: unknown): number | null {
  const value = typeof said === 'string' && said.trim() !== '' ? Number(said) : said
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

/** What bridges say of a device that they do not hear. */
const NOTHING = new Set(['', 'null', 'none', 'nan', 'unknown', 'unavailable', 'offline'])

/** Tells a contact from others on the disk. */
export const contactKey = ({ topic, path }: { topic: string; path: string | null }): string => `${topic} ${path ?? ''}`

/** Whether a contact is closed; undefined where the message says nothing of it. */
export function isClosedBy(
  { path, on }: { path: string | null; on: string },
  payload: Uint8Array,
): boolean | undefined {
  const said = valueAt(payload, path)
  if (said === undefined) return undefined
  const text = String(said)
  if (text === on) return true
  return NOTHING.has(text.trim().toLowerCase()) ? undefined : false
}
