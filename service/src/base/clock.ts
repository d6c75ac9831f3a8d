/** Time is an argument: everything that asks for it takes one of these. */
export interface Clock {
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }
