import { DAY_MS } from '@hypocaust/domain/facts'

/**
 * How often a loop opens. A valve that opens for less than its stroke, or a source that runs for less than its
 * minimum, gives no heat that can be counted, so several windows share one opening when the power is small, and one
 * pause when it is large.
 */
export type Rhythm = {
  /** Shortest opening and shortest pause. */
  onMs: number
  offMs: number
} & (
  | {
      /** Loops open one after the other, each in the middle of its own cycle, `phase` of a cycle later than the first. */
      kind: 'spread'
      phase: number
    }
  /** Loops open together at the beginning of their cycles, which fit into each other. */
  | { kind: 'aligned' }
)

const ALIGNED_CYCLE_MS = 3_600_000
const ALIGNED_WINDOWS = [1, 2, 4, 8, 16, 32, 96]

export function cycleMs(power: number, windowMs: number, rhythm: Rhythm): number {
  const { onMs, offMs } = rhythm
  const neededMs = Math.max(windowMs, power > 0 ? onMs / power : 0, power < 1 ? offMs / (1 - power) : 0)
  if (rhythm.kind === 'spread') {
    const longest = Math.max(1, Math.floor(DAY_MS / windowMs))
    return Math.min(longest, Math.ceil(neededMs / windowMs - 1e-9)) * windowMs
  }
  const shortestMs = Math.max(ALIGNED_CYCLE_MS, neededMs) - 1
  const windows = ALIGNED_WINDOWS.find((count) => count * windowMs >= shortestMs)
  return (windows ?? Math.max(...ALIGNED_WINDOWS)) * windowMs
}

export function cycleEndMs(lengthMs: number, rhythm: Rhythm, nowMs: number): number {
  const offsetMs = rhythm.kind === 'spread' ? Math.round(rhythm.phase * lengthMs) : 0
  return offsetMs + (Math.floor((nowMs - offsetMs) / lengthMs) + 1) * lengthMs
}

/** Whether a closed loop that needs so much flow until the end of its cycle opens now. */
export function opensNow(neededMs: number, lengthMs: number, endMs: number, rhythm: Rhythm, nowMs: number): boolean {
  if (neededMs < Math.max(1, rhythm.onMs / 2)) return false
  return rhythm.kind === 'aligned' || nowMs >= endMs - (lengthMs + neededMs) / 2
}

/** How far flow and power may be apart: within a cycle by the opening itself, and by an opening saved up. */
export function mostOwedMs(power: number, windowMs: number, rhythm: Rhythm): number {
  return power * (1 - power) * cycleMs(power, windowMs, rhythm) + 2 * rhythm.onMs + 5_000
}
