import ICAL from 'ical.js'
import { dayOfTime, type EventTimes, isUtc } from './event-times.ts'

/** An event as the feed has it, with all that its repetitions need. */
export interface FeedEvent {
  uid: string
  title: string
  start: ICAL.Time
  zone: string | undefined
  /** Of a date in days, of a time in milliseconds. */
  length: number
  isCancelled: boolean
  rules: ICAL.Recur[]
  /** Further times at which it happens. */
  added: ICAL.Time[]
  /** Days and moments at which it does not happen, each by its key. */
  without: Set<string>
  /** Of one that stands in for an occurrence of another: the key of that. */
  replaces: string | null
}

const MOST_TITLE = 200

/** Null where it cannot be read. */
export function eventOf(block: string, times: EventTimes): FeedEvent | null {
  try {
    const component = componentOf(block)
    const begin = component.getFirstProperty('dtstart')
    const start = begin?.getFirstValue()
    if (!begin || !(start instanceof ICAL.Time) || !Number.isFinite(times(start, zoneOf(begin)))) return null
    const replaced = component.getFirstProperty('recurrence-id')
    return {
      uid: String(component.getFirstPropertyValue('uid') ?? block),
      title: titleOf(component),
      ...{ start, zone: zoneOf(begin) },
      length: lengthOf(component, start, zoneOf(begin), times),
      isCancelled: String(component.getFirstPropertyValue('status')).toUpperCase() === 'CANCELLED',
      rules: valuesOf(component, 'rrule').filter((value) => value instanceof ICAL.Recur),
      added: component.getAllProperties('rdate').flatMap(timesIn),
      without: new Set(component.getAllProperties('exdate').flatMap((property) => keysIn(property, times))),
      replaces: replaced ? (keysIn(replaced, times)[0] ?? null) : null,
    }
  } catch {
    return null
  }
}

export const componentOf = (block: string): ICAL.Component => new ICAL.Component(ICAL.parse(block))

/** Names one occurrence of an event: a day, or a moment. */
export const keyOf = (time: ICAL.Time, atMs: number): string => (time.isDate ? dayKeyOf(time) : String(atMs))

export const dayKeyOf = (time: ICAL.Time): string => `day ${dayOfTime(time)}`

const zoneOf = (property: ICAL.Property): string | undefined => property.getParameter('tzid') as string | undefined

const valuesOf = (component: ICAL.Component, name: string): unknown[] =>
  component.getAllProperties(name).flatMap((property) => property.getValues())

const timesIn = (property: ICAL.Property): ICAL.Time[] =>
  property.getValues().flatMap((value: unknown) => {
    const time = value instanceof ICAL.Period ? value.start : value
    return time instanceof ICAL.Time ? [time] : []
  })

const keysIn = (property: ICAL.Property, times: EventTimes): string[] =>
  timesIn(property).map((time) => keyOf(time, times(time, zoneOf(property))))

function titleOf(component: ICAL.Component): string {
  const text = String(component.getFirstPropertyValue('summary') ?? '').normalize('NFC')
  // A title of several lines, or with half a character at its end, cannot be shown or stored.
  return text
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, MOST_TITLE)
    .toWellFormed()
}

/** Of one without an end, or with one before its beginning: a date lasts its day, a time no time. */
function lengthOf(component: ICAL.Component, start: ICAL.Time, zone: string | undefined, times: EventTimes): number {
  const least = start.isDate ? 1 : 0
  const end = component.getFirstProperty('dtend')
  const time = end?.getFirstValue()
  if (end && time instanceof ICAL.Time) {
    if (start.isDate) return Math.max(least, dayOfTime(time) - dayOfTime(start))
    return Math.max(least, times(time, isUtc(time) ? undefined : (zoneOf(end) ?? zone)) - times(start, zone))
  }
  const duration = component.getFirstPropertyValue('duration')
  if (!(duration instanceof ICAL.Duration)) return least
  const seconds = duration.toSeconds()
  return Math.max(least, start.isDate ? Math.round(seconds / 86_400) : seconds * 1000)
}
