import type { AirTemp } from './types.ts'

export const FRESH_S = 600

/** The latest reading, as the law wants to be told of it. */
export function airFrom(reading: { airC: number; atMs: number } | null, nowMs: number): AirTemp {
  if (!reading || !Number.isFinite(reading.airC)) return { kind: 'missing' }
  const ageS = Math.max(0, (nowMs - reading.atMs) / 1000)
  return ageS <= FRESH_S ? { kind: 'fresh', airC: reading.airC, ageS } : { kind: 'stale', airC: reading.airC, ageS }
}
