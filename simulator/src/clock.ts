/** Time as an argument: the wall's, a faster one, or one a test moves by hand. */
export type Clock = {
  now(): number
  /** Calls `tick` every `ms` of this clock; returns how to stop. */
  every(ms: number, tick: () => void): () => void
}

export const wallClock: Clock = { now: () => Date.now(), every: repeat }

/** Runs `speed` times as fast as the wall from now on. */
export function fastClock(speed: number): Clock {
  const startMs = Date.now()
  return {
    now: () => Math.round(startMs + (Date.now() - startMs) * speed),
    every: (ms, tick) => repeat(Math.max(20, ms / speed), tick),
  }
}

function repeat(ms: number, tick: () => void): () => void {
  const timer = setInterval(tick, ms)
  return () => clearInterval(timer)
}
