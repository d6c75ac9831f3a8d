import type { Clock as ServiceClock } from '@hypocaust/service'
import type { Clock } from '@hypocaust/simulator'

/** A clock that begins at a given moment and runs `speed` times as fast as the wall's. */
export function demoClock(startMs: number, speed: number): Clock & ServiceClock {
  const steadyStartMs = performance.now()
  const elapsedMs = () => (performance.now() - steadyStartMs) * speed
  return {
    now: () => Math.round(startMs + elapsedMs()),
    elapsedMs,
    every: (ms, tick) => {
      const timer = setInterval(tick, Math.max(20, ms / speed))
      return () => clearInterval(timer)
    },
  }
}
