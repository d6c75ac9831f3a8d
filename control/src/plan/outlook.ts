import type { Outlook } from '../room/state.ts'

/** Expectations are checked after this time. */
export const OUTLOOK_S = 3 * 3600
const LATE_MS = 1_800_000
const KEPT = 0.88
const LEAST_K = 0.07
const MOST_K = 0.4

/** Compares what was expected for now with what is felt. */
export function checkOutlook(outlook: Outlook, nowMs: number, feltC: number): Outlook {
  const lateMs = nowMs - outlook.dueMs
  if (lateMs < 0 || lateMs > LATE_MS) return outlook
  // The mean size of a normal error is 0.8 of its spread.
  const errorK = KEPT * outlook.errorK + ((1 - KEPT) / 0.8) * Math.min(2, Math.abs(feltC - outlook.feltC))
  return { ...outlook, errorK }
}

/** A new expectation when the old one is due, or when the wish has changed under it. */
export function expect(outlook: Outlook, nowMs: number, feltC: number, wishChanged: boolean): Outlook {
  const waits = nowMs < outlook.dueMs && outlook.dueMs - nowMs <= OUTLOOK_S * 1000
  return waits && !wishChanged ? outlook : { ...outlook, dueMs: nowMs + OUTLOOK_S * 1000, feltC }
}

/** The margin follows how wrong expectations have been lately, and grows without readings. */
export const doubtK = ({ errorK }: Outlook, silentH: number) =>
  Math.min(MOST_K, Math.max(LEAST_K, errorK)) + Math.min(0.2, 0.03 * silentH)
