import { DAY_MS } from '@hypocaust/domain'
import { errors } from '../base/errors.ts'

const FURTHEST_MS = 366 * DAY_MS

/** A time as it was sent; one that is in no calendar is refused. */
export function momentOf(field: string, text: string): number {
  const ms = Date.parse(text)
  if (Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 19) !== text.slice(0, 19))
    throw errors.invalidValue(`${field} must be a time in UTC as 2026-01-10T08:15:03.000Z.`)
  return ms
}

/** The end of something that ends by itself: ahead, and within a year. */
export function endOf(field: string, text: string, nowMs: number): number {
  const ms = momentOf(field, text)
  if (ms <= nowMs) throw errors.invalidValue(`${field} must be in the future.`)
  if (ms > nowMs + FURTHEST_MS) throw errors.invalidValue(`${field} must be at most a year ahead.`)
  return ms
}
