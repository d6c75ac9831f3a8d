import { DAY_MS } from '@hypocaust/domain/facts'

/** Wall-clock arithmetic in a building's time zone, right across both clock changes. */
export type LocalTime = { minuteOfDay: number; weekend: boolean }

type Span = { fromMs: number; untilMs: number; offsetMs: number }

const spans = new Map<string, Span>()

export function localTime(timeZone: string, atMs: number): LocalTime {
  const localMs = atMs + offsetMs(timeZone, atMs)
  const day = Math.floor(localMs / DAY_MS)
  const weekday = (((day + 4) % 7) + 7) % 7
  return { minuteOfDay: Math.floor((localMs - day * DAY_MS) / 60_000), weekend: weekday === 0 || weekday === 6 }
}

/** The offset holds between two changes of the clocks, so it is looked up once per span. */
export function offsetMs(timeZone: string, atMs: number): number {
  const known = spans.get(timeZone)
  if (known && atMs >= known.fromMs && atMs < known.untilMs) return known.offsetMs
  const here = zoned(timeZone, atMs)
  if (!here) return 0
  const untilMs = here.getTimeZoneTransition('next')?.epochMilliseconds ?? Number.POSITIVE_INFINITY
  const span = { fromMs: atMs, untilMs, offsetMs: here.offsetNanoseconds / 1e6 }
  spans.set(timeZone, span)
  return span.offsetMs
}

/** Null for a zone this machine does not know: the law then keeps UTC rather than stop heating. */
function zoned(timeZone: string, atMs: number): Temporal.ZonedDateTime | null {
  try {
    return Temporal.Instant.fromEpochMilliseconds(Math.trunc(atMs)).toZonedDateTimeISO(timeZone)
  } catch {
    return null
  }
}

/** As a person says it: 06:00. */
export function clockText(timeZone: string, atMs: number): string {
  const { minuteOfDay } = localTime(timeZone, atMs)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${two(Math.floor(minuteOfDay / 60))}:${two(minuteOfDay % 60)}`
}
