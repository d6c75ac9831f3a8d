/** Wall time stamps readings; monotonic time runs the valves, so that a jump of the clock moves none of them. */
export interface Clock {
  nowMs(): number
  monotonicMs(): number
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
}
