import { type CalendarRule, type CalendarWish, DAY_MS, dateOf, localTime, minuteOf, momentOf } from '@hypocaust/domain'
import type { StoredWish } from '../rooms/calendar-wishes.ts'
import { CALENDAR_AHEAD_MS, type Occurrence } from './occurrences.ts'

/** Read with every decision of the building, so not more than this; the nearest count. */
const MOST_WISHES = 300

interface ReadRules {
  rules: CalendarRule[]
  occurrences: Occurrence[]
}

interface At {
  timeZone: string
  nowMs: number
}

/** What the calendars of a building ask of its rooms, in the order in which they count. */
export function wishesOf(calendars: ReadRules[], at: At): StoredWish[] {
  const all = calendars.flatMap(({ rules, occurrences }) =>
    rules.flatMap((rule) =>
      occurrences
        .filter(({ title }) => applies(rule, title))
        .flatMap((occurrence) => ofEvent(rule, occurrence, at).map((wish) => ({ ...wish, rooms: rule.room_ids }))),
    ),
  )
  const ahead = all.filter(({ fromMs, untilMs }) => untilMs > Math.max(fromMs, at.nowMs - DAY_MS))
  const nearest = new Set(ahead.toSorted((a, b) => a.fromMs - b.fromMs).slice(0, MOST_WISHES))
  return ahead.filter((wish) => nearest.has(wish))
}

export function applies({ title: part }: Pick<CalendarRule, 'title'>, title: string): boolean {
  return comparable(title).includes(comparable(part))
}

const comparable = (text: string): string => text.normalize('NFKC').trim().toLowerCase()

function ofEvent(rule: CalendarRule, { fromMs, untilMs }: Occurrence, at: At): CalendarWish[] {
  switch (rule.effect) {
    case 'away':
      return [{ kind: 'away', fromMs, untilMs, targetC: rule.target_temperature as number }]
    case 'comfort':
      return rule.from === undefined || rule.to === undefined
        ? [{ kind: 'comfort', fromMs, untilMs }]
        : windows(daysOf({ fromMs, untilMs }, at), minuteOf(rule.from), minuteOf(rule.to), at)
    case 'day':
      return daysOf({ fromMs, untilMs }, at).map((day) => ({
        kind: 'day',
        fromMs: momentOf(at.timeZone, day, 0),
        untilMs: momentOf(at.timeZone, day + 1, 0),
        date: dateOf(day),
        follows: rule.follows as Exclude<CalendarRule['follows'], undefined>,
      }))
  }
}

const windows = (days: number[], from: number, to: number, { timeZone }: At): CalendarWish[] =>
  days.map((day) => ({
    kind: 'comfort',
    fromMs: momentOf(timeZone, day, from),
    untilMs: momentOf(timeZone, day, to),
  }))

/** The days that an event touches, as far as they are looked at; one that ends at midnight does not touch the next. */
function daysOf({ fromMs, untilMs }: Pick<Occurrence, 'fromMs' | 'untilMs'>, { timeZone, nowMs }: At): number[] {
  const beginMs = Math.max(fromMs, nowMs - DAY_MS)
  const endMs = Math.min(Math.max(untilMs - 1, fromMs), nowMs + CALENDAR_AHEAD_MS)
  const first = localTime(timeZone, beginMs).day
  const last = localTime(timeZone, endMs).day
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i)
}
