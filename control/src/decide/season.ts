import type { CoolingSettings } from '@hypocaust/domain'
import { HOUR_MS } from '@hypocaust/domain/facts'

/** What the control has found of a building; plain JSON. */
export type SeasonState = {
  season: 'heating' | 'cooling'
  sinceMs: number
  /** Outdoors as the mean of a day; null before the weather is known. */
  outdoorMeanC: number | null
  /** When the weather was last known, and when the source last reported; they lack in states of before. */
  outdoorAtMs?: number
  reportedAtMs?: number
  atMs: number
}

const MEAN_H = 24
/** After a gap the mean begins anew, and without what decides the season for so long the building heats. */
const LONGEST_GAP_MS = 72 * HOUR_MS

/** The season of a building. Where the evidence is missing it stays as it is. */
export function seasonAfter(
  before: SeasonState | null,
  settings: CoolingSettings,
  { outdoorC, reported }: { outdoorC: number | null; reported: boolean | null },
  nowMs: number,
): SeasonState {
  const outdoorMeanC = meanAfter(before, outdoorC, nowMs)
  const knownAtMs = (value: unknown, lastMs: number | undefined) =>
    value === null ? Math.min(nowMs, lastMs ?? before?.atMs ?? nowMs) : nowMs
  const outdoorAtMs = knownAtMs(outdoorC, before?.outdoorAtMs)
  const reportedAtMs = knownAtMs(reported, before?.reportedAtMs)
  const was = before?.season ?? 'heating'
  const isLost = (sinceMs: number) => nowMs - sinceMs > LONGEST_GAP_MS
  const evidence = { outdoorMeanC, isWeatherLost: isLost(outdoorAtMs), reported, isReportLost: isLost(reportedAtMs) }
  const season = seasonNow(settings, was, evidence)
  const sinceMs = before && season === was ? before.sinceMs : nowMs
  return { season, sinceMs, outdoorMeanC, outdoorAtMs, reportedAtMs, atMs: nowMs }
}

type Evidence = {
  outdoorMeanC: number | null
  isWeatherLost: boolean
  reported: boolean | null
  isReportLost: boolean
}

function seasonNow(
  { season, changeover }: CoolingSettings,
  was: SeasonState['season'],
  { outdoorMeanC, isWeatherLost, reported, isReportLost }: Evidence,
): SeasonState['season'] {
  if (season !== 'automatic') return season
  if (changeover.by === 'reported') {
    if (reported === null) return isReportLost ? 'heating' : was
    return reported ? 'cooling' : 'heating'
  }
  if (isWeatherLost) return 'heating'
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
