import type { FloorTime } from '../facts/floor-times.ts'
import { minuteOf } from '../facts/programme.ts'
import { localTime, momentOf } from './local-time.ts'
import { weekdayFollowed } from './programme-steps.ts'
import { isAway, setpointAt } from './schedule.ts'
import type { ScheduleInputs } from './types.ts'

/** What the surface of the floor shall have at least, from one moment to another. */
export type FloorMinimum = { leastC: number; fromMs: number; untilMs: number }

const MINUTES_A_DAY = 1440
/** Further than any plan looks. */
const DAYS_AHEAD = 3

/**
 * The times from a moment on, for as long as a plan looks, by the time they begin. None counts while the room is off,
 * under manual power or empty: see `floorMinimumAt`.
 */
export function floorMinima({ floorTimes, programme, timeZone }: ScheduleInputs, fromMs: number): FloorMinimum[] {
  if (!floorTimes) return []
  const { day: today } = localTime(timeZone, fromMs)
  const days = Array.from({ length: DAYS_AHEAD + 1 }, (_, i) => today - 1 + i)
  return days
    .flatMap((day) => {
      const weekday = weekdayFollowed(programme, day)
      return floorTimes.filter(({ days }) => days?.includes(weekday) ?? true).map((time) => onDay(time, day, timeZone))
    })
    .filter(({ untilMs }) => untilMs > fromMs)
    .toSorted((a, b) => a.fromMs - b.fromMs)
}

function onDay({ temperature, from, to }: FloorTime, day: number, timeZone: string): FloorMinimum {
  const [begins, ends] = [minuteOf(from), minuteOf(to)]
  const isPastMidnight = ends <= begins
  return {
    leastC: temperature,
    fromMs: momentOf(timeZone, day, begins),
    untilMs: isPastMidnight ? momentOf(timeZone, day + 1, ends % MINUTES_A_DAY) : momentOf(timeZone, day, ends),
  }
}

/** Of several the warmest. Nobody stands on the floor of a house that is empty. */
export function floorMinimumAt(inputs: ScheduleInputs, minima: FloorMinimum[], atMs: number): FloorMinimum | null {
  const now = minima.filter(({ fromMs, untilMs }) => atMs >= fromMs && atMs <= untilMs)
  if (now.length === 0 || isEmpty(inputs, atMs) || setpointAt(inputs, atMs).steering.kind !== 'automatic') return null
  return now.reduce((warmest, each) => (each.leastC > warmest.leastC ? each : warmest))
}

const isEmpty = ({ away, vacancy }: ScheduleInputs, atMs: number): boolean =>
  [away, vacancy].some((absence) => absence && isAway(absence, atMs))
