import { inWords, MOMENT_PATTERN } from '@hypocaust/domain'
import { errors } from '../base/errors.ts'

/** A time as it was sent, at any offset; one that is in no calendar is refused. */
export function momentOf(field: string, text: string): number {
  const ms = Date.parse(text)
  const written = text.slice(0, 19)
  const asUtcMs = Date.parse(`${written}Z`)
  if (Number.isNaN(ms) || Number.isNaN(asUtcMs) || new Date(asUtcMs).toISOString().slice(0, 19) !== written)
    throw errors.invalidValue(`${field} ${inWords(MOMENT_PATTERN)}.`)
  return ms
}

/** The same day and time of the year after; a leap day is followed by the first of March. */
export function yearAfter(ms: number): number {
  const date = new Date(ms)
  return date.setUTCFullYear(date.getUTCFullYear() + 1)
}

/** The end of something that ends by itself: ahead, and within a year. */
export function endOf(field: string, text: string, nowMs: number): number {
  const ms = momentOf(field, text)
  if (ms <= nowMs) throw errors.invalidValue(`${field} must be in the future.`)
  if (ms > yearAfter(nowMs)) throw errors.invalidValue(`${field} must be at most a year ahead.`)
  return ms
}
