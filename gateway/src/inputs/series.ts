import { type Series, timestampOf } from '@hypocaust/domain'
import { isObject, parseJson } from '../base/json.ts'

/** Where values ahead come from. */
export interface SeriesSource {
  topic: string
  path: string | null
}

const STEPS_S = [900, 1800, 3600] as const
/** Two days of quarter hours. */
const MOST_VALUES = 192

/** Values ahead that a topic publishes now and then: the last message counts until its end. */
export class SubscribedSeries {
  readonly #from: SeriesSource
  readonly #rounded: (value: number) => number
  readonly #complain: (text: string) => void
  #last: { startMs: number; stepS: Series['step_s']; values: number[] } | null = null
  #hasComplained = false

  constructor(from: SeriesSource, rounded: (value: number) => number, complain: (text: string) => void) {
    this.#from = from
    this.#rounded = rounded
    this.#complain = complain
  }

  get subscriptions(): string[] {
    return [this.#from.topic]
  }

  receive(topic: string, payload: Uint8Array): void {
    if (topic !== this.#from.topic) return
    const { path } = this.#from
    let value: unknown = parseJson(payload)
    for (const name of path === null ? [] : path.split('.')) value = isObject(value) ? value[name] : undefined
    const series = seriesIn(value)
    if (series) this.#last = series
    else if (!this.#hasComplained) {
      this.#hasComplained = true
      this.#complain(
        `${path === null ? topic : `${path} of ${topic}`}: expected start, step_minutes of 15, 30 or 60 and values, or a list of start and value, a quarter, half or whole hour apart`,
      )
    }
  }

  /** From the present step on; null where nothing lies ahead. */
  ahead(wallMs: number): Series | null {
    if (!this.#last) return null
    const { startMs, stepS, values } = this.#last
    const past = Math.max(0, Math.floor((wallMs - startMs) / (1000 * stepS)))
    const left = values.slice(past, past + MOST_VALUES)
    return left.length === 0
      ? null
      : { start: timestampOf(startMs + past * stepS * 1000), step_s: stepS, values: left.map(this.#rounded) }
  }
}

function seriesIn(value: unknown) {
  if (Array.isArray(value)) return fromList(value)
  if (!isObject(value) || !Array.isArray(value.values)) return null
  const startMs = momentOf(value.start)
  const stepS = stepOf(60 * Number(value.step_minutes))
  return startMs !== null && stepS !== null ? ofNumbers(startMs, stepS, value.values) : null
}

/** As evcc publishes tariffs and forecasts; steps without a gap. */
function fromList(list: unknown[]) {
  const steps = list
    .flatMap((each) => (isObject(each) ? [{ atMs: momentOf(each.start), value: each.value }] : []))
    .toSorted((a, b) => (a.atMs ?? 0) - (b.atMs ?? 0))
  const [first, second] = steps
  if (first?.atMs == null || second?.atMs == null) return null
  const startMs = first.atMs
  const stepS = stepOf((second.atMs - startMs) / 1000)
  if (stepS === null || steps.some(({ atMs }, i) => atMs !== startMs + i * stepS * 1000)) return null
  return ofNumbers(
    startMs,
    stepS,
    steps.map(({ value }) => value),
  )
}

function ofNumbers(startMs: number, stepS: Series['step_s'], raw: unknown[]) {
  const values = raw.filter((each): each is number => typeof each === 'number' && Number.isFinite(each))
  return values.length > 0 && values.length === raw.length ? { startMs, stepS, values } : null
}

/** A time without a zone would be read as that of the machine. */
function momentOf(value: unknown): number | null {
  const ms = typeof value === 'string' && /(?:Z|[+-]\d{2}:?\d{2})$/.test(value) ? Date.parse(value) : Number.NaN
  return Number.isFinite(ms) ? ms : null
}

const stepOf = (seconds: number): Series['step_s'] | null => STEPS_S.find((each) => each === seconds) ?? null
