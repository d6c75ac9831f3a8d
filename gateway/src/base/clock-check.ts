import { existsSync } from 'node:fs'
import type { Clock } from './clock.ts'

const EARLIEST_MS = Date.parse('2025-01-01T00:00:00Z')
const OFF_BY_MS = 300_000
const TIMESYNC = '/run/systemd/timesync'

/** systemd says so when it has set the clock; where it does not set clocks, nothing is known against ours. */
export const systemClockSet = (): boolean => !existsSync(TIMESYNC) || existsSync(`${TIMESYNC}/synchronized`)

/** Whether the wall clock can be believed: a Raspberry Pi has none of its own and starts in the past. */
export class ClockCheck {
  readonly #clock: Clock
  readonly #isSet: () => boolean
  #service: { wallMs: number; atMonoMs: number } | undefined

  constructor(clock: Clock, isSet: () => boolean) {
    this.#clock = clock
    this.#isSet = isSet
  }

  /** The service has just issued something at this time. */
  serviceTime(issuedMs: number): void {
    this.#service = { wallMs: issuedMs, atMonoMs: this.#clock.monotonicMs() }
  }

  get ok(): boolean {
    const nowMs = this.#clock.nowMs()
    if (nowMs < EARLIEST_MS || !this.#isSet()) return false
    if (!this.#service) return true
    const atServiceMs = this.#service.wallMs + this.#clock.monotonicMs() - this.#service.atMonoMs
    return Math.abs(nowMs - atServiceMs) < OFF_BY_MS
  }
}
