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

type Kept = { order: HotWaterOrder; arrived: Moment; validS: number }
type InForce = { epoch: number; seq: number; order: HotWaterOrder | null; untilMs: number }

/** A tank that is not heard for so long is not believed to be warm any more. */
const TANK_COUNTS_MS = 3_600_000
/** No tank takes longer: then something is wrong, and the source is left to its own control. */
const LONGEST_MS = 6 * 3_600_000

/**
 * Asks the heat source to heat the tank now. Its own control stays in charge: an order only begins a charge sooner, and
 * without the service nothing is asked for.
 */
export class HotWaterOutput {
  readonly #parts: HotWaterParts
  readonly #tank: SubscribedValue | null
  #inForce: InForce | null = null
  #asked: { order: HotWaterOrder; sinceMs: number } | null = null
  /** An order that took too long is not followed again before another one came. */
  #given: HotWaterOrder | null = null

  constructor(parts: HotWaterParts) {
    this.#parts = parts
    this.#tank = parts.settings?.tank ? new SubscribedValue(parts.settings.tank) : null
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
    const age = ageMs(kept.arrived, clock, isClockOk())
    const nowMs = clock.monotonicMs()
    const untilMs = age === null ? nowMs : nowMs - age + kept.validS * 1000
    this.#asked = { order: kept.order, sinceMs: nowMs - (age ?? 0) }
    this.#inForce = { epoch: 0, seq: 0, order: kept.order, untilMs }
  }

  /** An older command, or one of before a restore, changes nothing. */
  command({ epoch, seq, valid_s, hot_water }: SourceCommand): void {
    const nowMs = this.#parts.clock.monotonicMs()
    const last = this.#inForce
    const isOlder = last && (epoch < last.epoch || (epoch === last.epoch && seq < last.seq))
    if (!this.isConfigured || (isOlder && nowMs < last.untilMs)) return
    const order = hot_water === undefined || hot_water === 'none' ? null : hot_water
    this.#inForce = { epoch, seq, order, untilMs: nowMs + valid_s * 1000 }
    if (order && order === this.#asked?.order) this.#keep(order)
  }

  receive(topic: string, payload: Uint8Array, nowMs: number): void {
    this.#tank?.receive(topic, payload, nowMs)
  }

  hear(reading: Heard, wallMs: number, nowMs: number): void {
    this.#tank?.hear(reading, wallMs, nowMs)
  }

  step(nowMs: number): void {
    const { settings, log } = this.#parts
    if (!settings) return
    const said = this.#inForce && nowMs < this.#inForce.untilMs ? this.#inForce.order : null
    if (said !== this.#given) this.#given = null
    const takesTooLong = this.#asked !== null && nowMs - this.#asked.sinceMs >= LONGEST_MS
    if (takesTooLong) {
      this.#given = said
      log('hot water was asked for for six hours: the source is left to its own control')
    }
    const wanted = said !== null && said !== this.#given && settings.orders[said] ? said : null
    if (wanted === (this.#asked?.order ?? null)) return
    this.#release()
    if (wanted) this.#ask(wanted, nowMs)
  }

  /** A device that comes back may not have heard what was asked for. */
  forget(): void {
    if (this.#asked) this.#say(this.#asked.order, 'on')
  }

  /** Nobody will release the source from now on. */
  leave(): void {
    this.#release()
  }

  /** For `up/source`: to half a degree, as every change is a message. */
  report(busy: boolean | null, nowMs: number): Pick<SourceReport, 'hot_water'> {
    const { settings } = this.#parts
    if (!settings) return {}
    const tankC = this.#tank?.valueWithin(TANK_COUNTS_MS, nowMs) ?? null
    const isPlausible = tankC !== null && tankC >= -50 && tankC <= 150
    return {
      hot_water: {
        tank_c: isPlausible ? Math.round(2 * tankC) / 2 : null,
        busy,
        can: HOT_WATER_ORDERS.filter((order) => settings.orders[order]),
        asked: this.#asked?.order ?? null,
      },
    }
  }

  #ask(order: HotWaterOrder, nowMs: number): void {
    this.#asked = { order, sinceMs: nowMs }
    this.#keep(order)
    this.#say(order, 'on')
    this.#parts.log(`the source is asked for hot water: ${order}`)
  }

  #release(): void {
    if (!this.#asked) return
    this.#say(this.#asked.order, 'off')
    this.#asked = null
    this.#parts.store.put('hot_water', null)
    this.#parts.log('the source makes hot water as its own control decides')
  }

  #keep(order: HotWaterOrder): void {
    const { store, clock } = this.#parts
    const validS = ((this.#inForce?.untilMs ?? 0) - clock.monotonicMs()) / 1000
    store.put('hot_water', { order, arrived: momentNow(clock), validS } satisfies Kept)
  }

  #say(order: HotWaterOrder, which: 'on' | 'off'): void {
    const output = this.#parts.settings?.orders[order]
    if (output) this.#parts.publish({ topic: output.topic, payload: output[which] })
  }
}
