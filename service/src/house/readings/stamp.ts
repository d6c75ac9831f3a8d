import { MINUTE_MS } from '@hypocaust/domain'

/** A reading slightly ahead of our clock is stamped with its arrival; one further ahead is not believed. */
const TOLERATED_FUTURE_MS = 5 * MINUTE_MS

export interface Stamping {
  receivedAt: number
  /** False: the gateway does not know the time, and the arrival counts. */
  clockOk: boolean
}

/** When a reading was measured, in epoch milliseconds, or undefined when its time cannot be believed. */
export function measuredAt(timestamp: string, { receivedAt, clockOk }: Stamping): number | undefined {
  if (!clockOk) return receivedAt
  const told = Date.parse(timestamp)
  if (Number.isNaN(told) || !/^\d{4}-\d{2}-\d{2}T.*(?:Z|[+-]\d{2}:\d{2})$/.test(timestamp)) return undefined
  if (told <= receivedAt) return told < 0 ? undefined : told
  return told - receivedAt <= TOLERATED_FUTURE_MS ? receivedAt : undefined
}
