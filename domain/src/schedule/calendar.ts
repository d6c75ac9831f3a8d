import type { Programme } from '../facts/programme.ts'
import { dateOf, dayOf, localTime, momentOf } from './local-time.ts'
import type { CalendarWish, ScheduleInputs } from './types.ts'

type Calendared = Pick<ScheduleInputs, 'calendar' | 'programme' | 'timeZone'>

/** The programme with the dates of the calendar. A date that a person set stands first and counts. */
export function datedProgramme({ calendar, programme }: Calendared): Programme | null {
  if (!programme || !calendar) return programme
  const dates = calendar.flatMap((wish) => (wish.kind === 'day' ? [{ date: wish.date, follows: wish.follows }] : []))
  return dates.length === 0 ? programme : { ...programme, dates: [...(programme.dates ?? []), ...dates] }
}

/** Of several wishes the first counts, and none on a date that a person set. */
export function calendarWishAt({ calendar, programme, timeZone }: Calendared, atMs: number): CalendarWish | null {
  const wish = calendar?.find(({ fromMs, untilMs }) => atMs >= fromMs && atMs < untilMs)
  if (!wish || !programme?.dates?.length) return wish ?? null
  const today = dateOf(localTime(timeZone, atMs).day)
  return programme.dates.some(({ date }) => date === today) ? null : wish
}

/** Until when events that follow each other keep a room cool. */
export function calendarAwayUntilMs(inputs: Calendared, atMs: number): number {
  const wish = calendarWishAt(inputs, atMs)
  return wish?.kind === 'away' ? calendarAwayUntilMs(inputs, nextCalendarChangeMs(inputs, atMs)) : atMs
}

/** When another wish may begin to count; infinity where none does. */
export function nextCalendarChangeMs({ calendar, programme, timeZone }: Calendared, afterMs: number): number {
  if (!calendar) return Number.POSITIVE_INFINITY
  const edges = [
    ...calendar.flatMap(({ fromMs, untilMs }) => [fromMs, untilMs]),
    ...(programme?.dates ?? []).flatMap(({ date }) => {
      const day = dayOf(date)
      return [momentOf(timeZone, day, 0), momentOf(timeZone, day + 1, 0)]
    }),
  ]
  return edges.reduce((next, ms) => (ms > afterMs && ms < next ? ms : next), Number.POSITIVE_INFINITY)
}
