/** Time is an argument: everything that asks for it takes one of these. */
export interface Clock {
  /** The time of day, in epoch milliseconds. It may be set forward or back while the service runs. */
  now(): number
  /** Milliseconds since some moment, only ever growing: what lasts is measured by this. */
  elapsedMs(): number
}

export const systemClock: Clock = { now: () => Date.now(), elapsedMs: () => performance.now() }

/** Clocks of two processes differ a little; beyond this, a time in the future was given by a wrong clock. */
export const AHEAD_MS = 60_000

/** Whether something of this age still counts. A negative age means that a clock was set back: it does not. */
export const isWithin = (ageMs: number, spanMs: number): boolean => ageMs <= spanMs && ageMs >= -AHEAD_MS

/** The latest time a clock has shown, run on evenly since: setting that clock back does not set this one back. */
export class LatestTime {
  readonly #clock: Clock
  #offsetMs = Number.NEGATIVE_INFINITY

  constructor(clock: Clock) {
    this.#clock = clock
    this.now()
  }

  now(): number {
    const elapsedMs = this.#clock.elapsedMs()
    this.#offsetMs = Math.max(this.#offsetMs, this.#clock.now() - elapsedMs)
    return elapsedMs + this.#offsetMs
  }
}
