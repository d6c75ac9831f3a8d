import type { SgReadyOut, SourceCommand } from '@hypocaust/domain'
import { ageMs, type Clock, type Moment, momentAt } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Store } from '../base/store.ts'
import type { RelayOutput } from '../valves/driver.ts'
import type { Switch } from '../valves/relay.ts'

/** By contact 1 and contact 2, as SG-Ready numbers them. */
const CONTACTS: Record<SgReadyOut, readonly [boolean, boolean]> = {
  locked: [true, false],
  normal: [false, false],
  recommended: [false, true],
}

/** Heat pumps ask that a state lasts for so long. Only a lock does not wait, nor its end in frost. */
const SHORTEST_MS = 600_000

interface SgReadyParts {
  settings: [RelayOutput, RelayOutput] | null
  clock: Clock
  store: Pick<Store, 'get' | 'put'>
  isClockOk(): boolean
  log: Log
  relay(output: string, name: string, relay: RelayOutput): Switch
}

type Kept = { state: SgReadyOut; since: Moment; isClockOk: boolean }

/** The two relays of SG-Ready on the heat pump: as the service says while it does, else normal. */
export class SgReadyOutput {
  readonly #parts: SgReadyParts
  readonly relays: readonly Switch[]
  #inForce: { epoch: number; seq: number; state: SgReadyOut; untilMs: number } | null = null
  #state: SgReadyOut = 'normal'
  #sinceMs = Number.NEGATIVE_INFINITY

  constructor(parts: SgReadyParts) {
    this.#parts = parts
    this.relays = (parts.settings ?? []).map((relay, i) =>
      parts.relay(`sg-ready ${i + 1}`, `contact ${i + 1} of SG-Ready`, relay),
    )
  }

  get isConfigured(): boolean {
    return this.#parts.settings !== null
  }

  get state(): SgReadyOut {
    return this.#state
  }

  /** A restart makes no state shorter. */
  start(): void {
    const { store, clock, isClockOk } = this.#parts
    const kept = store.get<Kept | null>('sg_ready')
    if (!this.isConfigured || !kept) return
    this.#state = kept.state
    this.#sinceMs = clock.monotonicMs() - (ageMs(kept.since, clock, kept.isClockOk && isClockOk()) ?? 0)
  }

  /** An older command, or one of before a restore, changes nothing. */
  command({ epoch, seq, valid_s, sg_ready }: SourceCommand): void {
    const nowMs = this.#parts.clock.monotonicMs()
    const last = this.#inForce
    const isOlder = last && (epoch < last.epoch || (epoch === last.epoch && seq < last.seq))
    if (isOlder && nowMs < last.untilMs) return
    this.#inForce = { epoch, seq, state: sg_ready ?? 'normal', untilMs: nowMs + valid_s * 1000 }
  }

  /** `hasFrost`: a pipe may freeze, so the heat pump is not locked. */
  step({ hasFrost }: { hasFrost: boolean }, nowMs: number): void {
    if (!this.isConfigured) return
    const said = this.#inForce && nowMs < this.#inForce.untilMs ? this.#inForce.state : 'normal'
    const wanted = said === 'locked' && hasFrost ? 'normal' : said
    const isUrgent = wanted === 'locked' || (this.#state === 'locked' && hasFrost)
    if (wanted !== this.#state && (isUrgent || nowMs - this.#sinceMs >= SHORTEST_MS)) this.#become(wanted, nowMs)
    for (const [i, relay] of this.relays.entries()) relay.set(CONTACTS[this.#state][i] === true, nowMs)
  }

  #become(state: SgReadyOut, nowMs: number): void {
    const { log, store, clock, isClockOk } = this.#parts
    this.#state = state
    this.#sinceMs = nowMs
    store.put('sg_ready', { state, since: momentAt(clock, nowMs), isClockOk: isClockOk() } satisfies Kept)
    log(`SG-Ready of the heat pump: ${state}`)
  }
}
