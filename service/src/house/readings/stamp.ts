import { MINUTE_MS } from '@hypocaust/domain'

/**
 * A reading slightly ahead of our clock is stamped with its arrival; one further ahead is not believed, unless it is our
 * clock that was set back.
 */
const TOLERATED_FUTURE_MS = 5 * MINUTE_MS

export interface Stamping {
  receivedAt: number
  /** The latest time our clock has shown, run on since: before it was set back, say. */
  latestMs: number
  /** False: the gateway does not know the time, and the arrival counts. */
  clockOk: boolean
}

/** When a reading was measured, in epoch milliseconds, or undefined when its time cannot be believed. */
export function measuredAt(timestamp: string, { receivedAt, latestMs, clockOk }: Stamping): number | undefined {
  if (!clockOk) return receivedAt
  const stampedMs = Date.parse(timestamp)
  if (Number.isNaN(stampedMs) || !/^\d{4}-\d{2}-\d{2}T.*(?:Z|[+-]\d{2}:\d{2})$/.test(timestamp)) return undefined
  if (stampedMs <= receivedAt) return stampedMs < 0 ? undefined : stampedMs
  return stampedMs - Math.max(receivedAt, latestMs) <= TOLERATED_FUTURE_MS ? receivedAt : undefined
}
