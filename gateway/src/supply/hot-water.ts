import { HOT_WATER_ORDERS, type HotWaterOrder, type SourceCommand, type SourceReport } from '@hypocaust/domain'
import type { Heard } from '../adapters/adapter.ts'
import { ageMs, type Clock, type Moment, momentNow } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Store } from '../base/store.ts'
import { SubscribedValue, type ValueSource } from '../inputs/value.ts'

export interface HotWaterSettings {
  tank: ValueSource | null
  orders: Partial<Record<HotWaterOrder, OrderTopic>>
}

interface OrderTopic {
  topic: string
  on: string
  off: string
}

interface HotWaterParts {
  settings: HotWaterSettings | null
  clock: Clock
  store: Pick<Store, 'get' | 'put'>
  isClockOk(): boolean
  publish(message: { topic: string; payload: string }): void
  log: Log
}

/** Times as they were at a moment: where nobody knows how long ago that was, they go on from there. */
type Kept = {
  order: HotWaterOrder | null
  isOver: boolean
  askedForMs: number | null
  pausedForMs: number | null
  leftMs: number
  at: Moment
}
type InForce = { epoch: number; seq: number; order: HotWaterOrder | null; untilMs: number }

/** What the service asks for, as long as it asks for the same; `isOver`: it took too long. */
type Followed = { order: HotWaterOrder; isOver: boolean; sinceMs: number | null }

/** A tank that is not heard for so long is not believed to be warm any more. */
const TANK_COUNTS_MS = 3_600_000
/** No tank takes longer: then something is wrong, and the source is left to its own control. */
const LONGEST_MS = 6 * 3_600_000
/** While a pipe may freeze the source is asked for so long at most, and then heats the floors for as long. */
const LONGEST_IN_FROST_MS = 3_600_000
const KEEP_AGAIN_MS = 300_000
/** After a restart, an order of which nobody knows how old it is waits so long for the service to say it again. */
const UNKNOWN_COUNTS_MS = 600_000

/**
 * Asks the heat source to heat the tank now. Its own control stays in charge: an order only begins a charge sooner, and
 * without the service nothing is asked for.
 */
export class HotWaterOutput {
  readonly #parts: HotWaterParts
  readonly #tank: SubscribedValue | null
  #inForce: InForce | null = null
  #followed: Followed | null = null
  #isAsked = false
  /** When the source was last released in frost. */
  #pausedMs = Number.NEGATIVE_INFINITY
  #keptMs = Number.NEGATIVE_INFINITY

  constructor(parts: HotWaterParts) {
    this.#parts = parts
    this.#tank = parts.settings?.tank ? new SubscribedValue(parts.settings.tank, 'waterC') : null
  }

  get isConfigured(): boolean {
    return this.#parts.settings !== null
  }

  get subscriptions(): string[] {
    return this.#tank?.subscriptions ?? []
  }

  /** A source that was asked before the restart is not left without anybody who releases it. */
  start(): void {
    const { store, clock, isClockOk } = this.#parts
    const kept = store.get<Kept | null>('hot_water')
    if (!this.isConfigured || !kept) return
    const { order, isOver, askedForMs, pausedForMs, leftMs } = kept
    const age = ageMs(kept.at, clock, isClockOk())
    const nowMs = clock.monotonicMs()
    const wasMs = nowMs - (age ?? 0)
    this.#followed = order && { order, isOver, sinceMs: askedForMs === null ? null : wasMs - askedForMs }
    this.#isAsked = order !== null && askedForMs !== null && !isOver
    this.#pausedMs = pausedForMs === null ? Number.NEGATIVE_INFINITY : wasMs - pausedForMs
    const countsMs = age === null ? Math.min(leftMs, UNKNOWN_COUNTS_MS) : leftMs
    this.#inForce = { epoch: 0, seq: 0, order, untilMs: wasMs + countsMs }
  }

  /** An older command, or one of before a restore, changes nothing. */
  command({ epoch, seq, valid_s, hot_water }: SourceCommand): void {
    const nowMs = this.#parts.clock.monotonicMs()
    const last = this.#inForce
    const isOlder = last && (epoch < last.epoch || (epoch === last.epoch && seq < last.seq))
    if (!this.isConfigured || (isOlder && nowMs < last.untilMs)) return
    const order = hot_water === undefined || hot_water === 'none' ? null : hot_water
    this.#inForce = { epoch, seq, order, untilMs: nowMs + valid_s * 1000 }
  }

  receive(topic: string, payload: Uint8Array, nowMs: number): void {
    this.#tank?.receive(topic, payload, nowMs)
  }

  hear(reading: Heard, wallMs: number, nowMs: number): void {
    this.#tank?.hear(reading, wallMs, nowMs)
  }

  /** `hasFrost`: a pipe may freeze, so the floors do not wait for long. */
  step({ hasFrost }: { hasFrost: boolean }, nowMs: number): void {
    const { settings } = this.#parts
    if (!settings) return
    const said = this.#saidAt(nowMs)
    if (said !== (this.#followed?.order ?? null)) this.#follow(said, hasFrost, nowMs)
    const followed = this.#followed
    if (followed && nowMs - this.#keptMs >= KEEP_AGAIN_MS) this.#keep(nowMs)
    if (!followed || followed.isOver || !settings.orders[followed.order]) return
    if (!this.#isAsked && hasFrost && nowMs - this.#pausedMs < LONGEST_IN_FROST_MS) return
    if (followed.sinceMs !== null && nowMs - followed.sinceMs >= (hasFrost ? LONGEST_IN_FROST_MS : LONGEST_MS))
      this.#giveUp(followed, hasFrost, nowMs)
    else if (!this.#isAsked) this.#ask(followed, nowMs)
  }

  /** A device that comes back may not have heard what was asked for; an order that has ended is not repeated. */
  forget(nowMs: number): void {
    if (this.#isAsked && this.#followed?.order === this.#saidAt(nowMs)) this.#say(this.#followed.order, 'on')
  }

  /** Nobody will release the source from now on. How long it was asked is kept for the next start. */
  leave(): void {
    this.#keep(this.#parts.clock.monotonicMs())
    this.#release()
  }

  /** For `up/source`: to half a degree, as every change is a message. */
  report(busy: boolean | null, nowMs: number): Pick<SourceReport, 'hot_water'> {
    const { settings } = this.#parts
    if (!settings) return {}
    const tankC = this.#tank?.valueWithin(TANK_COUNTS_MS, nowMs) ?? null
    return {
      hot_water: {
        tank_c: tankC === null ? null : Math.round(2 * tankC) / 2,
        busy,
        can: HOT_WATER_ORDERS.filter((order) => settings.orders[order]),
        asked: this.#isAsked ? (this.#followed?.order ?? null) : null,
      },
    }
  }

  #saidAt(nowMs: number): HotWaterOrder | null {
    return this.#inForce && nowMs < this.#inForce.untilMs ? this.#inForce.order : null
  }

  #follow(order: HotWaterOrder | null, hasFrost: boolean, nowMs: number): void {
    if (this.#isAsked && hasFrost) this.#pausedMs = nowMs
    this.#release()
    this.#followed = order && { order, isOver: false, sinceMs: null }
    this.#keep(nowMs)
  }

  /** It is not followed again before another order has come. */
  #giveUp(followed: Followed, hasFrost: boolean, nowMs: number): void {
    this.#release()
    followed.isOver = true
    if (hasFrost) this.#pausedMs = nowMs
    this.#keep(nowMs)
    const why = hasFrost ? 'a pipe may freeze' : 'hot water was asked for for six hours'
    this.#parts.log(`${why}: the source is left to its own control`)
  }

  #ask(followed: Followed, nowMs: number): void {
    this.#isAsked = true
    followed.sinceMs ??= nowMs
    this.#keep(nowMs)
    this.#say(followed.order, 'on')
    this.#parts.log(`the source is asked for hot water: ${followed.order}`)
  }

  #release(): void {
    if (!this.#isAsked || !this.#followed) return
    this.#isAsked = false
    this.#say(this.#followed.order, 'off')
    this.#parts.log('the source makes hot water as its own control decides')
  }

  #keep(nowMs: number): void {
    const { store, clock } = this.#parts
    this.#keptMs = nowMs
    const { order = null, isOver = false, sinceMs = null } = this.#followed ?? {}
    store.put('hot_water', {
      ...{ order, isOver, askedForMs: sinceMs === null ? null : nowMs - sinceMs },
      pausedForMs: Number.isFinite(this.#pausedMs) ? nowMs - this.#pausedMs : null,
      leftMs: (this.#inForce?.untilMs ?? nowMs) - nowMs,
      at: momentNow(clock),
    } satisfies Kept)
  }

  #say(order: HotWaterOrder, which: 'on' | 'off'): void {
    const output = this.#parts.settings?.orders[order]
    if (output) this.#parts.publish({ topic: output.topic, payload: output[which] })
  }
}
