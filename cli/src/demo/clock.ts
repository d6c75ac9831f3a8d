import type { Clock } from '@hypocaust/simulator'

/** A clock that begins at a given moment and runs `speed` times as fast as the wall's. */
export function demoClock(startMs: number, speed: number): Clock {
  const wallStartMs = Date.now()
  return {
    now: () => Math.round(startMs + (Date.now() - wallStartMs) * speed),
    every: (ms, tick) => {
      const timer = setInterval(tick, Math.max(20, ms / speed))
      return () => clearInterval(timer)
    },
  }
}
