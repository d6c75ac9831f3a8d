import type { SourceCircuit, SourceCommand } from '@hypocaust/domain'
import type { Heard } from '../adapters/adapter.ts'
import { ageMs, type Clock, type Moment, momentNow } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Store } from '../base/store.ts'
import { SubscribedValue } from '../inputs/value.ts'
import { SUPPLY_KINDS } from './drivers.ts'
import type { FallbackCurve, SupplySettings } from './settings.ts'

interface SupplyParts {
  settings: SupplySettings
  clock: Clock
  store: Pick<Store, 'get' | 'put'>
  isClockOk(): boolean
  publish(message: { topic: string; payload: string }): void
  log: Log
}

type Kept = { command: SourceCommand; arrived: Moment }
type InForce = { epoch: number; seq: number; supplyC: number; cools: boolean; untilMs: number }
/** While the source cools: what it may be asked for when this is commanded. */
type CoolWater = (commandedC: number | null) => number

const OUTDOOR_COUNTS_MS = 3 * 3_600_000

/** Asks the heat source or a mixer for water: as the service says while it does, else by the curve or value of the file. */
export class SupplyOutput {
  readonly #parts: SupplyParts
  readonly #outdoor: SubscribedValue | null
  #inForce: InForce | null = null
  #asked: { c: number; atMs: number } | null = null
  #mostFallbackC = Number.POSITIVE_INFINITY

  constructor(parts: SupplyParts) {
    this.#parts = parts
    this.#outdoor = parts.settings.curve && new SubscribedValue(parts.settings.curve.outdoor, 'outdoorC')
  }

  get subscriptions(): string[] {
    return this.#outdoor?.subscriptions ?? []
  }

  /** What the loops behind a mixer of their own get; null for the source. */
  get circuit(): SourceCircuit | null {
    const { channels, minC, maxC } = this.#parts.settings
    return channels && { channels: [...channels], min_c: minC, max_c: maxC, supply_set_c: this.askedC }
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

  /** By the configuration of the service, which is on disk. */
  limitFallback(mostC: number | null): void {
    this.#mostFallbackC = mostC ?? Number.POSITIVE_INFINITY
  }

  /** An older command, or one of before a restore, changes nothing. */
  command(command: SourceCommand): void {
    const { store, clock } = this.#parts
    if (this.#waterC(command) === undefined) return
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

  step(nowMs: number, coolWaterC: CoolWater | null): void {
    const { stepK, repeatMs } = SUPPLY_KINDS[this.#parts.settings.driver]
    const inForce = this.#inForce && nowMs < this.#inForce.untilMs ? this.#inForce : null
    if (this.#inForce && !inForce) {
      this.#parts.log('no supply temperature from the service: the source is asked for that of the fallback')
      this.#inForce = null
    }
    // Water that was asked for to cool is no water to heat with, and the other way round.
    const commandedC = inForce && inForce.cools === (coolWaterC !== null) ? inForce.supplyC : null
    const limitedC = coolWaterC
      ? upToStep(coolWaterC(commandedC), stepK)
      : this.#warmWaterC(commandedC ?? this.#fallbackC(nowMs), stepK)
    if (this.#asked?.c === limitedC && nowMs - this.#asked.atMs < repeatMs) return
    this.#ask(limitedC, nowMs)
  }

  /** Every value again at the next step. */
  forget(): void {
    this.#asked = null
  }

  /** Nobody will correct the source from now on. */
  leave(nowMs: number, coolWaterC: CoolWater | null): void {
    this.#inForce = null
    this.step(nowMs, coolWaterC)
  }

  #take(command: SourceCommand, arrivedMs: number): void {
    const { epoch, seq, cools = false, valid_s } = command
    const supplyC = this.#waterC(command)
    if (supplyC === undefined) return
    this.#inForce = { epoch, seq, supplyC, cools, untilMs: arrivedMs + valid_s * 1000 }
  }

  /** A circuit of which nothing is said gets the water of the source. */
  #waterC({ supply_c, circuits = [] }: SourceCommand): number | undefined {
    const { channels } = this.#parts.settings
    return circuits.find((circuit) => circuit.channels.some((channel) => channels?.has(channel)))?.supply_c ?? supply_c
  }

  #warmWaterC(wantedC: number, stepK: number): number {
    const { minC, maxC } = this.#parts.settings
    return Math.min(maxC, Math.max(minC, upToStep(wantedC, stepK)))
  }

  #fallbackC(nowMs: number): number {
    const { curve, fallbackC } = this.#parts.settings
    const outdoorC = this.#outdoor?.valueWithin(OUTDOOR_COUNTS_MS, nowMs) ?? null
    return Math.min(this.#mostFallbackC, curve && outdoorC !== null ? curveC(curve, outdoorC) : fallbackC)
  }

  #ask(c: number, nowMs: number): void {
    const { settings, publish } = this.#parts
    const topic = `${settings.topic}${SUPPLY_KINDS[settings.driver].suffix}`
    publish({ topic, payload: settings.payload.replaceAll('{value}', String(c)) })
    this.#asked = { c, atMs: nowMs }
  }
}

const upToStep = (c: number, stepK: number): number => Math.ceil(c / stepK) * stepK

const isOlder = (command: SourceCommand, last: InForce): boolean =>
  command.epoch < last.epoch || (command.epoch === last.epoch && command.seq < last.seq)

/** The water of the gateway's own curve: a line between two points, and level beyond them. */
function curveC({ cold, mild }: FallbackCurve, outdoorC: number): number {
  const share = (mild.outdoorC - outdoorC) / (mild.outdoorC - cold.outdoorC)
  return mild.supplyC + Math.min(1, Math.max(0, share)) * (cold.supplyC - mild.supplyC)
}
