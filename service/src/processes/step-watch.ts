import type { Clock } from '../base/clock.ts'

const STEP_MS = 3_600_000
const BELIEVED_AFTER_MS = 24 * 3_600_000

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
    this.#offsetMs = clock.now() - clock.elapsedMs()
  }

  isSettled(): boolean {
    const elapsedMs = this.#clock.elapsedMs()
    const offsetMs = this.#clock.now() - elapsedMs
    if (Math.abs(offsetMs - this.#offsetMs) > STEP_MS) this.#steppedAtMs = elapsedMs
    this.#offsetMs = offsetMs
    return this.#steppedAtMs === undefined || elapsedMs - this.#steppedAtMs >= BELIEVED_AFTER_MS
  }
}
