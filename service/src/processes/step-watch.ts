import { DAY_MS, HOUR_MS } from '@hypocaust/domain/facts'
import { AHEAD_MS, type Clock } from '../base/clock.ts'

/**
 * Whether the time of day has run evenly for a day, or since the start. A clock that jumped a year ahead for a moment must not make the service
 * forget the history of that year.
 */
export class StepWatch {
  readonly #clock: Clock
  #offsetMs: number
  #steppedAtMs: number | undefined

  constructor(clock: Clock) {
    this.#clock = clock
    this.#offsetMs = offsetOf(clock)
  }

  isSettled(): boolean {
    const elapsedMs = this.#clock.elapsedMs()
    const offsetMs = offsetOf(this.#clock)
    if (Math.abs(offsetMs - this.#offsetMs) > HOUR_MS) this.#steppedAtMs = elapsedMs
    this.#offsetMs = offsetMs
    return this.#steppedAtMs === undefined || elapsedMs - this.#steppedAtMs >= DAY_MS
  }
}

/** Whether the time of day was set back since the last look: by one step, or by small ones that add up. */
export class SetBackWatch {
  readonly #clock: Clock
  #offsetMs: number

  constructor(clock: Clock) {
    this.#clock = clock
    this.#offsetMs = offsetOf(clock)
  }

  wasSetBack(): boolean {
    const offsetMs = offsetOf(this.#clock)
    const isBack = this.#offsetMs - offsetMs > AHEAD_MS
    this.#offsetMs = isBack ? offsetMs : Math.max(this.#offsetMs, offsetMs)
    return isBack
  }
}

const offsetOf = (clock: Clock): number => clock.now() - clock.elapsedMs()
