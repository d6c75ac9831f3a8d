import { DAY_MS } from '@hypocaust/domain/facts'
import type { WordingNow } from '../i18n/formats.ts'
import { localTimeOf, momentOf } from '../ui/local-time.ts'

export interface End {
  key: 'tonight' | 'tomorrow' | 'sunday' | 'week'
  atMs: number
}

const EVENING = '18:00'
const NIGHT = '22:00'
/** A shorter absence is not worth cooling a floor. */
const SOONEST_MS = 3_600_000

/** Returns people choose most, by the clocks of the building: the second tap. */
export function usualReturns(nowMs: number, timeZone: string): End[] {
  const at = (days: number, clock: string) =>
    momentOf(`${localTimeOf(nowMs + days * DAY_MS, timeZone).slice(0, 10)}T${clock}`, timeZone)
  const daysToSunday = (7 - weekdayOf(nowMs, timeZone)) % 7
  const ends: End[] = [
    { key: 'tonight', atMs: at(0, NIGHT) },
    { key: 'tomorrow', atMs: at(1, EVENING) },
    { key: 'sunday', atMs: at(daysToSunday, EVENING) },
    { key: 'week', atMs: at(7, EVENING) },
  ]
  return ends.filter(({ atMs }, i) => atMs > nowMs + SOONEST_MS && ends.findIndex((end) => end.atMs === atMs) === i)
}

/** Its clock; of tomorrow the weekday as well, and in a week the date. */
export const endTime = ({ key, atMs }: End, { format, now, timeZone }: WordingNow): string =>
  key === 'week' || key === 'tomorrow' ? format.until(atMs, now, timeZone) : format.clock(atMs, timeZone)

/** The default where a person chooses a time of their own: the next evening, by the clocks of the building. */
export const nextEvening = (nowMs: number, timeZone: string): string =>
  `${localTimeOf(nowMs + DAY_MS, timeZone).slice(0, 10)}T${EVENING}`

/** Sunday is 0. */
const weekdayOf = (atMs: number, timeZone: string): number =>
  new Date(`${localTimeOf(atMs, timeZone).slice(0, 10)}T00:00:00Z`).getUTCDay()
