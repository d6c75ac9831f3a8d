import type { Heard } from '../adapters/adapter.ts'
import type { Log } from '../base/log.ts'
import type { ContactSettings, FlowTemperatureSettings, GatewaySettings } from '../config/settings.ts'
import { isClosedBy, SubscribedValue } from '../inputs/value.ts'

type LockReason = 'hot_water' | 'flow_temperature'

const HYSTERESIS_K = 2
const FLOW_COUNTS_MS = 900_000
/** A contact that has said nothing for so long after it closed is not believed any more: the house would go cold. */
const SAID_COUNTS_MS = 3 * 3_600_000
/** Nor is a source that has been busy for longer than any tank takes, however often it says so. */
const LONGEST_BUSY_MS = 6 * 3_600_000

/** While the source makes domestic hot water, or its flow is too hot for a floor, all water loops are closed. */
export class SourceLock {
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

  constructor({ hotWater, flowLimiters, flowTemperature }: GatewaySettings, log: Log) {
    this.#hotWater = hotWater
    this.#limiters = flowLimiters
    this.#flow = flowTemperature
    this.#flowC = flowTemperature && new SubscribedValue(flowTemperature.from)
    this.#log = log
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
      if (isClosed !== undefined) this.#heard.set(input, nowMs)
      if (isClosed) this.#closed.set(input, { sinceMs: this.#closed.get(input)?.sinceMs ?? nowMs, saidMs: nowMs })
      else if (isClosed === false) this.#closed.delete(input)
    }
    this.#flowC?.receive(topic, payload, nowMs)
  }

  hear(reading: Heard, wallMs: number, nowMs: number): void {
    this.#flowC?.hear(reading, wallMs, nowMs)
  }

  /** Whether the loops must be closed now. */
  step(nowMs: number): boolean {
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
