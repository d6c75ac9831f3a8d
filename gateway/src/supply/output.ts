import type { SourceCommand } from '@hypocaust/domain'
import type { Heard } from '../adapters/adapter.ts'
import { ageMs, type Clock, type Moment, momentNow } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Store } from '../base/store.ts'
import { SubscribedValue } from '../inputs/value.ts'
import { SUPPLY_KINDS } from './drivers.ts'
import { curveC } from './fallback-curve.ts'
import type { SupplySettings } from './settings.ts'

interface SupplyParts {
  settings: SupplySettings
  clock: Clock
  store: Pick<Store, 'get' | 'put'>
  isClockOk(): boolean
  publish(message: { topic: string; payload: string }): void
  log: Log
}

type Kept = { command: SourceCommand; arrived: Moment }
type InForce = { epoch: number; seq: number; supplyC: number; untilMs: number }

const OUTDOOR_COUNTS_MS = 3 * 3_600_000

/** Asks the heat source for water: as the service says while it does, else by the curve or value of the file. */
export class SupplyOutput {
  readonly #parts: SupplyParts
  readonly #outdoor: SubscribedValue | null
  #inForce: InForce | null = null
  #asked: { c: number; atMs: number } | null = null

  constructor(parts: SupplyParts) {
    this.#parts = parts
    this.#outdoor = parts.settings.curve && new SubscribedValue(parts.settings.curve.outdoor)
  }

  get subscriptions(): string[] {
    return this.#outdoor?.subscriptions ?? []
  }

  /** What the source was last asked for. */
  get askedC(): number | null {
    return this.#asked?.c ?? null
  }

  start(): void {
    const { store, clock, isClockOk } = this.#parts
    const kept = store.get<Kept | null>('source')
    const age = kept ? ageMs(kept.arrived, clock, isClockOk()) : null
    if (kept && age !== null) this.#take(kept.command, clock.monotonicMs() - age)
  }

  /** An older command, or one of before a restore, changes nothing. */
  command(command: SourceCommand): void {
    const { store, clock } = this.#parts
    if (command.supply_c === undefined) return
    const nowMs = clock.monotonicMs()
    const last = this.#inForce
    if (last && nowMs < last.untilMs && isOlder(command, last)) return
    this.#take(command, nowMs)
    store.put('source', { command, arrived: momentNow(clock) } satisfies Kept)
  }

  receive(topic: string, payload: Uint8Array, nowMs: number): void {
    this.#outdoor?.receive(topic, payload, nowMs)
  }

  hear(reading: Heard, wallMs: number, nowMs: number): void {
    this.#outdoor?.hear(reading, wallMs, nowMs)
  }

  step(nowMs: number): void {
    const { settings } = this.#parts
    const { stepK, repeatMs } = SUPPLY_KINDS[settings.driver]
    const inForce = this.#inForce && nowMs < this.#inForce.untilMs ? this.#inForce : null
    if (this.#inForce && !inForce) {
      this.#parts.log('no supply temperature from the service: the source is asked for that of the fallback')
      this.#inForce = null
    }
    const wantedC = inForce?.supplyC ?? this.#fallbackC(nowMs)
    const limitedC = Math.min(settings.maxC, Math.max(settings.minC, Math.ceil(wantedC / stepK) * stepK))
    if (this.#asked?.c === limitedC && nowMs - this.#asked.atMs < repeatMs) return
    this.#ask(limitedC, nowMs)
  }

  /** Every value again at the next step. */
  forget(): void {
    this.#asked = null
  }

  /** Nobody will correct the source from now on. */
  leave(nowMs: number): void {
    this.#inForce = null
    this.step(nowMs)
  }

  #take(command: SourceCommand, arrivedMs: number): void {
    const { epoch, seq, supply_c: supplyC, valid_s } = command
    if (supplyC === undefined) return
    this.#inForce = { epoch, seq, supplyC, untilMs: arrivedMs + valid_s * 1000 }
  }

  #fallbackC(nowMs: number): number {
    const { curve, fallbackC } = this.#parts.settings
    const outdoorC = this.#outdoor?.valueWithin(OUTDOOR_COUNTS_MS, nowMs) ?? null
    return curve && outdoorC !== null ? curveC(curve, outdoorC) : fallbackC
  }

  #ask(c: number, nowMs: number): void {
    const { settings, publish } = this.#parts
    const topic = `${settings.topic}${SUPPLY_KINDS[settings.driver].suffix}`
    publish({ topic, payload: settings.payload.replaceAll('{value}', String(c)) })
    this.#asked = { c, atMs: nowMs }
  }
}

const isOlder = (command: SourceCommand, last: InForce): boolean =>
  command.epoch < last.epoch || (command.epoch === last.epoch && command.seq < last.seq)
