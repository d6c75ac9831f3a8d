import { HOUR_MS } from '@hypocaust/domain'

export interface CounterReading {
  readAt: number
  kwh: number
}

/** What a meter counted in a span, and the part of the span in which it reported. */
export interface Counted {
  kwh: number
  covered: number
}

/** Readings further apart leave a gap: what was counted in it counts, but not as known to the hour. */
const LONGEST_STEP_MS = 3 * HOUR_MS
/** A heat source of 100 kW: more in a step is another meter, or another unit. */
const MOST_KW = 100

/**
 * Between two readings the counter rises evenly. A counter that falls has been replaced, has begun again or has rolled over:
 * what it shows then has been counted since, unless no heat source could have taken so much.
 */
export function countedIn(readings: readonly CounterReading[], fromMs: number, toMs: number): Counted {
  let kwh = 0
  let coveredMs = 0
  for (const [i, reading] of readings.entries()) {
    const before = readings[i - 1]
    if (!before || reading.readAt <= before.readAt) continue
    const overlapMs = Math.min(toMs, reading.readAt) - Math.max(fromMs, before.readAt)
    if (overlapMs <= 0) continue
    const stepMs = reading.readAt - before.readAt
    const risen = risenBy(before, reading)
    if (risen === null) continue
    kwh += (risen * overlapMs) / stepMs
    if (stepMs <= LONGEST_STEP_MS) coveredMs += overlapMs
  }
  return { kwh, covered: toMs > fromMs ? coveredMs / (toMs - fromMs) : 0 }
}

/** Null where the two readings cannot be of one meter. */
function risenBy(before: CounterReading, after: CounterReading): number | null {
  const most = (MOST_KW * (after.readAt - before.readAt)) / HOUR_MS
  const risen = after.kwh >= before.kwh ? after.kwh - before.kwh : after.kwh
  return risen <= most ? risen : null
}
