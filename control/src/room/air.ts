import type { AirTemp } from './types.ts'

const FRESH_S = 600
/** Clocks differ a little; a reading further ahead was stamped by a wrong clock, and its age is unknown. */
const AHEAD_S = 60

/** The latest reading, in the form the law takes. */
export function airFrom(reading: { airC: number; atMs: number } | null, nowMs: number): AirTemp {
  if (!reading || !Number.isFinite(reading.airC)) return { kind: 'missing' }
  const ageS = (nowMs - reading.atMs) / 1000
  if (!(ageS >= -AHEAD_S)) return { kind: 'missing' }
  return { kind: ageS <= FRESH_S ? 'fresh' : 'stale', airC: reading.airC, ageS: Math.max(0, ageS) }
}
