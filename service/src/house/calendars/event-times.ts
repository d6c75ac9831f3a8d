import { DAY_MS, momentOf } from '@hypocaust/domain'
import ICAL from 'ical.js'
import { findIana } from 'windows-iana'
import { isTimeZone } from '../../base/time-zone.ts'

/** Turns a time of a feed into a moment: of a date the first one of that day in the building. */
export type EventTimes = (time: ICAL.Time, zone: string | undefined) => number

type Zone = { kind: 'named'; name: string } | { kind: 'described'; zone: ICAL.Timezone }

/**
 * A zone counts by its name where that is one of the zones of this world, then as the feed describes it, then as Windows
 * calls it; else by the clock of the building.
 */
export function eventTimes(described: ICAL.Component[], timeZone: string): EventTimes {
  const zones = new Map<string, Zone>()
  const own = new Map(described.map((zone) => [String(zone.getFirstPropertyValue('tzid')), zone]))
  const zoneOf = (id: string): Zone => {
    const known = zones.get(id)
    if (known) return known
    const found = foundZone(id, own.get(id)) ?? { kind: 'named', name: timeZone }
    zones.set(id, found)
    return found
  }
  return (time, id) => {
    if (time.isDate) return momentOf(timeZone, dayOfTime(time), 0)
    if (isUtc(time)) return time.toUnixTime() * 1000
    const zone: Zone = id === undefined ? { kind: 'named', name: timeZone } : zoneOf(id)
    return zone.kind === 'named' ? momentIn(zone.name, time) : describedMoment(zone.zone, time)
  }
}

export const isUtc = ({ zone }: ICAL.Time): boolean => zone === ICAL.Timezone.utcTimezone

/** Days since the first of January 1970. */
export const dayOfTime = ({ year, month, day }: ICAL.Time): number => Date.UTC(year, month - 1, day) / DAY_MS

function foundZone(id: string, described: ICAL.Component | undefined): Zone | undefined {
  const name = ianaOf(id)
  if (name) return { kind: 'named', name }
  if (described) return { kind: 'described', zone: new ICAL.Timezone(described) }
  const [ofWindows] = findIana(id)
  return ofWindows !== undefined && isTimeZone(ofWindows) ? { kind: 'named', name: ofWindows } : undefined
}

/** Also behind a prefix, as /freeassociation.sourceforge.net/Europe/Berlin. */
function ianaOf(id: string): string | undefined {
  if (isTimeZone(id)) return id
  const last = /[A-Za-z]+\/[A-Za-z_+-]+(?:\/[A-Za-z_]+)?$/.exec(id)?.[0]
  return last !== undefined && isTimeZone(last) ? last : undefined
}

/** The hour that is skipped counts as the one after it, the repeated one as its first. */
const momentIn = (timeZone: string, { year, month, day, hour, minute, second }: ICAL.Time): number =>
  Temporal.PlainDateTime.from({ year, month, day, hour, minute, second }).toZonedDateTime(timeZone).epochMilliseconds

function describedMoment(zone: ICAL.Timezone, time: ICAL.Time): number {
  const there = time.clone()
  there.zone = zone
  return there.toUnixTime() * 1000
}
