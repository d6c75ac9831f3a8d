import { DAY_MS, MINUTE_MS } from '../facts/time.ts'

/** Wall-clock arithmetic in a building's time zone, right across both clock changes. */
type LocalTime = { minuteOfDay: number; weekend: boolean; day: number }

/** Between two changes of the clocks the offset holds. */
type Span = { fromMs: number; untilMs: number; offsetMs: number }

const MOST_SPANS = 8
const spans = new Map<string, Span[]>()

export function localTime(timeZone: string, atMs: number): LocalTime {
  const localMs = atMs + offsetMs(timeZone, atMs)
  const day = Math.floor(localMs / DAY_MS)
  const weekday = weekdayOf(day)
  return { minuteOfDay: Math.floor((localMs - day * DAY_MS) / MINUTE_MS), weekend: weekday >= 5, day }
}

/** Days are counted from the first of January 1970, a Thursday; Monday is 0. */
export const weekdayOf = (day: number): number => (((day + 3) % 7) + 7) % 7

export const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)

export const dayOf = (date: string): number => Date.parse(`${date}T00:00:00.000Z`) / DAY_MS

export const offsetMs = (timeZone: string, atMs: number): number => spanAt(timeZone, atMs).offsetMs

/** The first moment at which the clock of a day shows this minute or a later one, whatever the clocks do that day. */
export function momentOf(timeZone: string, day: number, minuteOfDay: number): number {
  const localMs = day * DAY_MS + minuteOfDay * MINUTE_MS
  const before = spanAt(timeZone, localMs - DAY_MS)
  if (localMs - before.offsetMs < before.untilMs) return localMs - before.offsetMs
  const after = spanAt(timeZone, before.untilMs)
  return Math.max(before.untilMs, localMs - after.offsetMs)
}

function spanAt(timeZone: string, atMs: number): Span {
  const known = spans.get(timeZone) ?? []
  const found = known.find(({ fromMs, untilMs }) => atMs >= fromMs && atMs < untilMs)
  if (found) return found
  const span = newSpan(timeZone, atMs)
  spans.set(timeZone, [span, ...known].slice(0, MOST_SPANS))
  return span
}

/** UTC for a zone this machine does not know: the law then keeps it rather than stop heating. */
function newSpan(timeZone: string, atMs: number): Span {
  const here = zoned(timeZone, atMs)
  if (!here) return { fromMs: Number.NEGATIVE_INFINITY, untilMs: Number.POSITIVE_INFINITY, offsetMs: 0 }
  const fromMs = here.add({ nanoseconds: 1 }).getTimeZoneTransition('previous')?.epochMilliseconds
  const untilMs = here.getTimeZoneTransition('next')?.epochMilliseconds
  return {
    fromMs: fromMs ?? Number.NEGATIVE_INFINITY,
    untilMs: untilMs ?? Number.POSITIVE_INFINITY,
    offsetMs: here.offsetNanoseconds / 1e6,
  }
}

function zoned(timeZone: string, atMs: number): Temporal.ZonedDateTime | null {
  try {
    return Temporal.Instant.fromEpochMilliseconds(Math.trunc(atMs)).toZonedDateTimeISO(timeZone)
  } catch {
    return null
  }
}

/** As a person says it: 06:00. */
export const clockText = (timeZone: string, atMs: number): string => minuteText(localTime(timeZone, atMs).minuteOfDay)

export function minuteText(minuteOfDay: number): string {
  const two = (value: number) => String(value).padStart(2, '0')
  return `${two(Math.floor(minuteOfDay / 60))}:${two(minuteOfDay % 60)}`
}
