import { DAY_MS, momentOf } from '@hypocaust/domain'
import type ICAL from 'ical.js'
import { dayOfTime, type EventTimes, eventTimes, isUtc } from './event-times.ts'
import { componentOf, dayKeyOf, eventOf, type FeedEvent, keyOf } from './feed-events.ts'
import { blocksOf, feedOf } from './feed-lines.ts'

/** One event at one time. */
export interface Occurrence {
  title: string
  fromMs: number
  untilMs: number
  isAllDay: boolean
}

interface ReadCalendar {
  /** The feed without what is over and what is not needed. */
  content: string
  occurrences: Occurrence[]
  /** Events that could not be read. */
  unreadable: number
}

export type CalendarReading = ({ ok: true } & ReadCalendar) | { ok: false; problem: 'not_a_calendar' | 'too_large' }

export interface ReadAt {
  /** Of the building. */
  timeZone: string
  nowMs: number
}

/** A step of the programme of yesterday may still hold. */
const PAST_MS = DAY_MS
export const CALENDAR_AHEAD_MS = 60 * DAY_MS
const MOST_EVENTS = 10_000
const MOST_CONTENT = 1_000_000
const MOST_OCCURRENCES = 500
/** Of one rule. Only one with a count, or of months and years, is followed from its beginning. */
const MOST_STEPS = 10_000
const DAYS_OF: Partial<Record<string, number>> = { DAILY: 1, WEEKLY: 7 }
const CALENDAR_FREQUENCIES = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY']

/** The events of a feed from yesterday on for sixty days. */
export function readFeed(text: string, { timeZone, nowMs }: ReadAt): CalendarReading {
  const blocks = blocksOf(text)
  if (!blocks) return { ok: false, problem: 'not_a_calendar' }
  if (blocks.events.length > MOST_EVENTS) return { ok: false, problem: 'too_large' }
  const times = eventTimes(zonesIn(blocks.zones), timeZone)
  const events = blocks.events.map((block) => ({ block, event: eventOf(block, times) }))
  const known = events.flatMap(({ event }) => event ?? [])
  const expansion = new Expansion(known, { times, timeZone, fromMs: nowMs - PAST_MS, toMs: nowMs + CALENDAR_AHEAD_MS })
  const occurrences = known
    .flatMap((event) => expansion.of(event))
    .toSorted((a, b) => a.fromMs - b.fromMs)
    .slice(0, MOST_OCCURRENCES)
  const kept = events.filter(({ event }) => event && expansion.isAhead(event)).map(({ block }) => block)
  const content = feedOf({ zones: blocks.zones, events: kept })
  if (content.length > MOST_CONTENT) return { ok: false, problem: 'too_large' }
  return { ok: true, content, occurrences, unreadable: events.length - known.length + expansion.unreadable }
}

const zonesIn = (blocks: string[]): ICAL.Component[] =>
  blocks.flatMap((block) => {
    try {
      return componentOf(block).name === 'vtimezone' ? [componentOf(block)] : []
    } catch {
      return []
    }
  })

interface Bounds {
  times: EventTimes
  timeZone: string
  fromMs: number
  toMs: number
}

/** Repeats events within a window, with a bound to the work. */
class Expansion {
  unreadable = 0
  readonly #bounds: Bounds
  readonly #replaced: Map<string, Set<string>>

  constructor(events: FeedEvent[], bounds: Bounds) {
    this.#bounds = bounds
    const standIns = events.filter(({ replaces }) => replaces !== null)
    this.#replaced = new Map(
      [...Map.groupBy(standIns, ({ uid }) => uid)].map(([uid, all]) => [
        uid,
        new Set(all.map((e) => e.replaces ?? '')),
      ]),
    )
  }

  /** Whether there may be something of it in the window, or later. */
  isAhead(event: FeedEvent): boolean {
    const repeats = event.rules.some(({ until }) => !until || utcOf(until) >= this.#nearMs(event))
    const isLone = !repeats && event.added.length === 0 && event.replaces === null
    return !isLone || this.#at(event, event.start).untilMs >= this.#bounds.fromMs
  }

  of(event: FeedEvent): Occurrence[] {
    if (event.isCancelled) return []
    try {
      const starts = event.replaces === null ? this.#startsOf(event) : [event.start]
      return starts.map((start) => this.#at(event, start)).filter((each) => this.#isInside(each))
    } catch {
      this.unreadable++
      return []
    }
  }

  #startsOf(event: FeedEvent): ICAL.Time[] {
    const replaced = this.#replaced.get(event.uid)
    const keys = new Set<string>()
    const repeated = event.rules.flatMap((rule) => this.#repeated(event, rule))
    return [event.start, ...event.added, ...repeated].filter((start) => {
      const key = keyOf(start, this.#bounds.times(start, zoneFor(event, start)))
      const isLeftOut =
        event.without.has(key) ||
        event.without.has(dayKeyOf(start)) ||
        replaced?.has(key) ||
        replaced?.has(dayKeyOf(start))
      if (isLeftOut || keys.has(key)) return false
      keys.add(key)
      return true
    })
  }

  /** Goes by the clock of the event, as it repeats by that: moments are worked out only near the window. */
  #repeated(event: FeedEvent, rule: ICAL.Recur): ICAL.Time[] {
    const { times, toMs } = this.#bounds
    const { until } = rule
    const nearMs = this.#nearMs(event)
    if (until && utcOf(until) < nearMs) return []
    // The library compares an end in UTC with a clock that it takes for UTC: here it is compared as a moment.
    rule.until = null
    if (!CALENDAR_FREQUENCIES.includes(rule.freq)) throw new Error('repeats more often than daily')
    let stepsLeft = MOST_STEPS
    const found: ICAL.Time[] = []
    const iterator = rule.iterator(startNear(event.start, rule, nearMs))
    for (let time = iterator.next(); time && utcOf(time) < toMs + 2 * DAY_MS; time = iterator.next()) {
      if (stepsLeft-- <= 0) throw new Error('too many repetitions')
      if (utcOf(time) < nearMs) continue
      if (until && isAfter(time, until, times(time, event.zone), times(until, zoneFor(event, until)))) break
      found.push(time.clone())
    }
    return found
  }

  /** By any clock, nothing that begins before this reaches into the window. */
  #nearMs({ start, length }: FeedEvent): number {
    return this.#bounds.fromMs - 2 * DAY_MS - length * (start.isDate ? DAY_MS : 1)
  }

  #at({ title, zone, length, start: first }: FeedEvent, start: ICAL.Time): Occurrence {
    const { times, timeZone } = this.#bounds
    const fromMs = times(start, isUtc(start) ? undefined : zone)
    if (!first.isDate) return { title, fromMs, untilMs: fromMs + length, isAllDay: false }
    return { title, fromMs, untilMs: momentOf(timeZone, dayOfTime(start) + length, 0), isAllDay: true }
  }

  /** One that takes no time is inside too. */
  #isInside({ fromMs, untilMs }: Occurrence): boolean {
    return fromMs < this.#bounds.toMs && Math.max(untilMs, fromMs + 1) > this.#bounds.fromMs
  }
}

/** A later beginning of the same repetitions; the library takes its time for each. */
function startNear(start: ICAL.Time, { freq, interval, count }: ICAL.Recur, nearMs: number): ICAL.Time {
  const days = (DAYS_OF[freq] ?? 0) * Math.max(1, interval)
  if (days === 0 || count) return start
  const near = start.clone()
  near.adjust(days * Math.max(0, Math.floor((nearMs - utcOf(start)) / DAY_MS / days)), 0, 0, 0)
  return near
}

const zoneFor = ({ zone }: FeedEvent, time: ICAL.Time): string | undefined => (isUtc(time) ? undefined : zone)

const isAfter = (time: ICAL.Time, until: ICAL.Time, atMs: number, untilMs: number): boolean =>
  until.isDate ? dayOfTime(time) > dayOfTime(until) : atMs > untilMs

const utcOf = ({ year, month, day, hour, minute, second }: ICAL.Time): number =>
  Date.UTC(year, month - 1, day, hour, minute, second)
