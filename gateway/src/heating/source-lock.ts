import type { Heard } from '../adapters/adapter.ts'
import { ageMs, type Clock, type Moment, momentNow } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Store } from '../base/store.ts'
import type { ContactSettings, FlowTemperatureSettings, GatewaySettings } from '../config/settings.ts'
import { contactKey, isClosedBy, SubscribedValue } from '../inputs/value.ts'

type LockReason = 'hot_water' | 'flow_temperature'

const HYSTERESIS_K = 2
const FLOW_COUNTS_MS = 900_000
/** A contact that has said nothing for so long after it closed is not believed any more: the house would go cold. */
const SAID_COUNTS_MS = 3 * 3_600_000
/** Nor is a source that has been busy for longer than any tank takes, however often it says so. */
const LONGEST_BUSY_MS = 6 * 3_600_000
const KEEP_AGAIN_MS = 600_000

interface LockParts {
  settings: Pick<GatewaySettings, 'hotWater' | 'flowLimiters' | 'flowTemperature'>
  clock: Clock
  store: Pick<Store, 'get' | 'put'>
  isClockOk(): boolean
  log: Log
}

/** For how long each closed contact has been closed and has said nothing, at a moment. */
type Kept = { contacts: Record<string, { closedForMs: number; silentForMs: number }>; at: Moment }

/** While the source makes domestic hot water, or its flow is too hot for a floor, all water loops are closed. */
export class SourceLock {
  readonly #parts: LockParts
  readonly #hotWater: ContactSettings[]
  readonly #limiters: ContactSettings[]
  readonly #flow: FlowTemperatureSettings | null
  readonly #log: Log
  /** Contacts that are closed, since when each is, and when it last said so. */
  readonly #closed = new Map<ContactSettings, { sinceMs: number; saidMs: number }>()
  /** When each last said anything. */
  readonly #heard = new Map<ContactSettings, number>()
  readonly #flowC: SubscribedValue | null
  #reason: LockReason | null = null
  #sinceMs = 0
  #lostMs = 0
  #keptMs = Number.NEGATIVE_INFINITY

  constructor(parts: LockParts) {
    const { hotWater, flowLimiters, flowTemperature } = parts.settings
    this.#parts = parts
    this.#hotWater = hotWater
    this.#limiters = flowLimiters
    this.#flow = flowTemperature
    this.#flowC = flowTemperature && new SubscribedValue(flowTemperature.from, 'waterC')
    this.#log = parts.log
  }

  /** A contact that reports only changes is still closed after a restart, and a restart makes no contact closed anew. */
  start(): void {
    const { clock, store, isClockOk } = this.#parts
    const kept = store.get<Kept | null>('source_lock')
    if (!kept) return
    const wasMs = clock.monotonicMs() - (ageMs(kept.at, clock, isClockOk()) ?? 0)
    for (const contact of this.#contacts) {
      const known = kept.contacts[contactKey(contact)]
      if (known) this.#closed.set(contact, { sinceMs: wasMs - known.closedForMs, saidMs: wasMs - known.silentForMs })
    }
  }

  get subscriptions(): string[] {
    return [...this.#contacts.map(({ topic }) => topic), ...(this.#flowC?.subscriptions ?? [])]
  }

  get isConfigured(): boolean {
    return this.#contacts.length > 0 || this.#flow !== null
  }

  get reason(): LockReason | null {
    return this.#reason
  }

  /** As the source reports it; null where nothing does, or has not lately. */
  makesHotWater(nowMs: number): boolean | null {
    if (this.#hotWater.length === 0) return null
    if (this.#isAnyClosed(this.#hotWater, LONGEST_BUSY_MS, nowMs)) return true
    const isHeard = this.#hotWater.every(
      (contact) => nowMs - (this.#heard.get(contact) ?? Number.NEGATIVE_INFINITY) < SAID_COUNTS_MS,
    )
    return isHeard ? false : null
  }

  supplyC(nowMs: number): number | null {
    return this.#flowC?.valueWithin(FLOW_COUNTS_MS, nowMs) ?? null
  }

  /** Heating time lost to the present lock, or to the last one. */
  get lostMs(): number {
    return this.#lostMs
  }

  receive(topic: string, payload: Uint8Array, nowMs: number): void {
    for (const input of this.#contacts.filter((each) => each.topic === topic)) {
      const isClosed = isClosedBy(input, payload)
      if (isClosed === undefined) continue
      this.#heard.set(input, nowMs)
      const before = this.#closed.get(input)
      if (isClosed) this.#closed.set(input, { sinceMs: before?.sinceMs ?? nowMs, saidMs: nowMs })
      else this.#closed.delete(input)
      if (isClosed !== (before !== undefined)) this.#keep(nowMs)
    }
    this.#flowC?.receive(topic, payload, nowMs)
  }

  hear(reading: Heard, wallMs: number, nowMs: number): void {
    this.#flowC?.hear(reading, wallMs, nowMs)
  }

  /** Whether the loops must be closed now. */
  step(nowMs: number): boolean {
    if (this.#closed.size > 0 && nowMs - this.#keptMs >= KEEP_AGAIN_MS) this.#keep(nowMs)
    const reason = this.#reasonNow(nowMs)
    if (reason !== this.#reason) {
      if (reason && !this.#reason) this.#sinceMs = nowMs
      this.#reason = reason
      this.#log(reason ? `all loops are closed: ${this.#words(reason, nowMs)}` : 'the source heats the floor again')
    }
    if (reason) this.#lostMs = nowMs - this.#sinceMs
    return reason !== null
  }

  #reasonNow(nowMs: number): LockReason | null {
    if (this.#hasTripped(nowMs)) return 'flow_temperature'
    if (this.#isAnyClosed(this.#hotWater, LONGEST_BUSY_MS, nowMs)) return 'hot_water'
    const flowC = this.supplyC(nowMs)
    if (!this.#flow || flowC === null) return null
    const fromC = this.#reason === 'flow_temperature' ? this.#flow.maxC - HYSTERESIS_K : this.#flow.maxC
    return flowC >= fromC ? 'flow_temperature' : null
  }

  #hasTripped(nowMs: number): boolean {
    return this.#isAnyClosed(this.#limiters, Number.POSITIVE_INFINITY, nowMs)
  }

  #isAnyClosed(contacts: readonly ContactSettings[], longestMs: number, nowMs: number): boolean {
    return contacts.some((contact) => {
      const closed = this.#closed.get(contact)
      return closed !== undefined && nowMs - closed.saidMs < SAID_COUNTS_MS && nowMs - closed.sinceMs < longestMs
    })
  }

  #keep(nowMs: number): void {
    const { clock, store } = this.#parts
    this.#keptMs = nowMs
    const contacts = [...this.#closed].map(([contact, { sinceMs, saidMs }]) => [
      contactKey(contact),
      { closedForMs: nowMs - sinceMs, silentForMs: nowMs - saidMs },
    ])
    store.put('source_lock', { contacts: Object.fromEntries(contacts), at: momentNow(clock) } satisfies Kept)
  }

  get #contacts(): ContactSettings[] {
    return [...this.#hotWater, ...this.#limiters]
  }

  #words(reason: LockReason, nowMs: number): string {
    if (this.#hasTripped(nowMs)) return 'the limiter of the flow has tripped'
    return reason === 'hot_water'
      ? 'the source makes domestic hot water'
      : `the flow has ${this.supplyC(nowMs)} °C, and ${this.#flow?.maxC} °C is allowed`
  }
}
