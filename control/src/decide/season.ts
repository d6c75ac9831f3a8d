import type { CoolingSettings } from '@hypocaust/domain'
import { HOUR_MS } from '@hypocaust/domain/facts'

/** What the control has found of a building; plain JSON. */
export type SeasonState = {
  season: 'heating' | 'cooling'
  sinceMs: number
  /** Outdoors as the mean of a day; null before the weather is known. */
  outdoorMeanC: number | null
  /** When the weather was last known; it lacks in states of before. */
  outdoorAtMs?: number
  atMs: number
}

const MEAN_H = 24
/** After a gap the mean begins anew, and without weather for so long the building heats. */
const LONGEST_GAP_MS = 72 * HOUR_MS

/** The season of a building. Where the evidence is missing it stays as it is. */
export function seasonAfter(
  before: SeasonState | null,
  settings: CoolingSettings,
  { outdoorC, reported }: { outdoorC: number | null; reported: boolean | null },
  nowMs: number,
): SeasonState {
  const outdoorMeanC = meanAfter(before, outdoorC, nowMs)
  const outdoorAtMs = outdoorC === null ? Math.min(nowMs, before?.outdoorAtMs ?? before?.atMs ?? nowMs) : nowMs
  const was = before?.season ?? 'heating'
  const isLost = nowMs - outdoorAtMs > LONGEST_GAP_MS
  const season = seasonNow(settings, was, { outdoorMeanC, isLost, reported })
  const sinceMs = before && season === was ? before.sinceMs : nowMs
  return { season, sinceMs, outdoorMeanC, outdoorAtMs, atMs: nowMs }
}

function seasonNow(
  { season, changeover }: CoolingSettings,
  was: SeasonState['season'],
  { outdoorMeanC, isLost, reported }: { outdoorMeanC: number | null; isLost: boolean; reported: boolean | null },
): SeasonState['season'] {
  if (season !== 'automatic') return season
  if (changeover.by === 'reported') return reported === null ? was : reported ? 'cooling' : 'heating'
  if (isLost) return 'heating'
  if (outdoorMeanC === null) return was
  if (outdoorMeanC > changeover.cooling_above) return 'cooling'
  return outdoorMeanC < changeover.heating_below ? 'heating' : was
}

function meanAfter(before: SeasonState | null, outdoorC: number | null, nowMs: number): number | null {
  if (outdoorC === null || !Number.isFinite(outdoorC)) return before?.outdoorMeanC ?? null
  const gapMs = before ? Math.max(0, nowMs - (before.outdoorAtMs ?? before.atMs)) : Number.NaN
  const meanC = before?.outdoorMeanC ?? null
  if (meanC === null || !(gapMs <= LONGEST_GAP_MS)) return outdoorC
  return meanC + (1 - Math.exp(-gapMs / HOUR_MS / MEAN_H)) * (outdoorC - meanC)
}
