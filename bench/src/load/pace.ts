import { setTimeout as sleep } from 'node:timers/promises'

const LOOK_EVERY_MS = 4

/**
 * Acts so many times a second whatever comes back: a slow service gets no rest from it. Each act is given the time it was
 * due, and latency counts from then, so that waiting in our own queue is not left out.
 */
export async function atRate(perS: number, durationS: number, act: (dueMs: number) => void): Promise<number> {
  const startMs = performance.now()
  const total = Math.round(perS * durationS)
  for (let done = 0; done < total; ) {
    const due = Math.min(total, Math.ceil(((performance.now() - startMs) / 1000) * perS))
    for (; done < due; done++) act(startMs + (done / perS) * 1000)
    await sleep(LOOK_EVERY_MS)
  }
  return total
}

export interface Spread {
  p50Ms: number
  p99Ms: number
}

export function spreadOf(latenciesMs: number[]): Spread {
  const sorted = latenciesMs.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
  return { p50Ms: at(0.5), p99Ms: at(0.99) }
}
