import type { RoomHistory } from '@hypocaust/domain'
import { dayPlus } from '../ui/dates.ts'
import { localTimeOf, momentOf } from '../ui/local-time.ts'

/** The seconds from the first to the last of some days of a building. */
export const secondsOf = ({ from, to }: { from: string; to: string }, timeZone: string) => ({
  fromS: momentOf(`${from}T00:00`, timeZone) / 1000,
  toS: momentOf(`${dayPlus(to, 1)}T00:00`, timeZone) / 1000,
})

/** How cold it was on a day of the building, as 2026-01-31, or in a month. */
export function outdoorIn(
  name: string,
  { times, outdoor }: Pick<RoomHistory, 'times' | 'outdoor'>,
  timeZone: string,
): number | null {
  const values = outdoor.filter(
    (value, i): value is number => value !== null && localTimeOf((times[i] ?? 0) * 1000, timeZone).startsWith(name),
  )
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length
}
