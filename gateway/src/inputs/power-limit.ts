import { type LimitBasis, POWER_LIMIT_W, type SourceReport, timestampOf } from '@hypocaust/domain'
import { isObject, parseJson } from '../base/json.ts'
import { isClosedBy, valueAt } from './value.ts'

/** How the grid limits the heat source: a contact that stands for watts, or a topic with watts. */
export interface PowerLimitSettings {
  topic: string
  path: string | null
  basis: LimitBasis
  contact: { on: string; limitW: number } | null
}

/** One without an end that is not repeated for so long is not believed any more: no room is to go cold because of a lost
 * message. */
const COUNTS_MS = 3 * 3_600_000
/** One with an end is not believed without end either. */
const LONGEST_MS = 48 * 3_600_000

type Heard = { limitW: number; fromMs: number | null; untilMs: number | null }

export class PowerLimitInput {
  readonly #settings: PowerLimitSettings
  #last: { limit: Heard | null; atMs: number } | null = null

  constructor(settings: PowerLimitSettings) {
    this.#settings = settings
  }

  get subscriptions(): string[] {
    return [this.#settings.topic]
  }

  /** What is neither a limit nor none changes nothing. */
  receive(topic: string, payload: Uint8Array, nowMs: number): void {
    if (topic !== this.#settings.topic) return
    const limit = this.#limitIn(payload)
    if (limit !== undefined) this.#last = { limit, atMs: nowMs }
  }

  /** Null while nothing limits the source. */
  report(nowMs: number, wallMs: number): NonNullable<SourceReport['power_limit']> | null {
    const { limit = null, atMs = 0 } = this.#last ?? {}
    if (!limit) return null
    const { limitW: limit_w, fromMs, untilMs } = limit
    if (nowMs - atMs > (untilMs === null ? COUNTS_MS : LONGEST_MS) || (untilMs ?? wallMs + 1) <= wallMs) return null
    return {
      limit_w,
      basis: this.#settings.basis,
      ...(fromMs !== null && { from: timestampOf(fromMs) }),
      ...(untilMs !== null && { until: timestampOf(untilMs) }),
    }
  }

  #limitIn(payload: Uint8Array): Heard | null | undefined {
    const { path, contact } = this.#settings
    if (contact) {
      const isOn = isClosedBy({ path, on: contact.on }, payload)
      return isOn ? { limitW: contact.limitW, fromMs: null, untilMs: null } : isOn === false ? null : undefined
    }
    const said = valueAt(payload, path)
    if (said === undefined) return undefined
    return limitOf(path === null ? parseJson(payload) : said)
  }
}

/** Watts, or watts with the times between which they hold; null is no limit. */
function limitOf(said: unknown): Heard | null | undefined {
  if (said === null) return null
  const { limit_w: limitW, from, until } = isObject(said) ? said : { limit_w: said }
  if (limitW === null) return null
  if (typeof limitW !== 'number' || !(limitW >= POWER_LIMIT_W.minimum && limitW <= POWER_LIMIT_W.maximum))
    return undefined
  const [fromMs, untilMs] = [timeOf(from), timeOf(until)]
  if (fromMs === undefined || untilMs === undefined) return undefined
  return { limitW, fromMs, untilMs }
}

/** With a zone: the box and whoever publishes need not agree on one. */
const ZONED = /T.*(?:Z|[+-]\d\d:\d\d)$/

function timeOf(text: unknown): number | null | undefined {
  if (text === undefined || text === null) return null
  const ms = typeof text === 'string' && ZONED.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(ms) || Math.abs(ms) > 4e12 ? undefined : ms
}
