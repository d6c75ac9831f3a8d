/** Time is an argument: everything that asks for it takes one of these. */
export interface Clock {
  /** The time of day, in epoch milliseconds. It may be set forward or back while the service runs. */
  now(): number
  /** Milliseconds since some moment, only ever growing: what lasts is measured by this. */
  elapsedMs(): number
}

export const systemClock: Clock = { now: () => Date.now(), elapsedMs: () => performance.now() }
