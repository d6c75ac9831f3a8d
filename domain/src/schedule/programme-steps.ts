import { minuteOf, type Programme, type ProgrammeStep, WEEKDAYS, type Weekday } from '../facts/programme.ts'
import { dateOf, localTime, momentOf, weekdayOf } from './local-time.ts'

/** A week, and a second one in case single dates follow days without steps. */
const SEARCHED_DAYS = 15

/** Kelvin below the target at a moment. */
export function setbackAt(programme: Programme, timeZone: string, atMs: number): number {
  const { day: today } = localTime(timeZone, atMs)
  // The clocks may be put back over midnight: a step of tomorrow's date can have been.
  for (let day = today + 1; day > today - SEARCHED_DAYS; day--) {
    const step = stepsOf(programme, day).findLast(({ at }) => momentOf(timeZone, day, minuteOf(at)) <= atMs)
    if (step) return step.setback
  }
  return 0
}

/** The next step after a moment; infinity without any. */
export function nextStepMs(programme: Programme, timeZone: string, afterMs: number): number {
  const { day: today } = localTime(timeZone, afterMs)
  for (let day = today; day < today + SEARCHED_DAYS; day++) {
    const next = stepsOf(programme, day)
      .map(({ at }) => momentOf(timeZone, day, minuteOf(at)))
      .find((ms) => ms > afterMs)
    if (next !== undefined) return next
  }
  return Number.POSITIVE_INFINITY
}

const stepsOf = (programme: Programme, day: number): ProgrammeStep[] => programme[weekdayFollowed(programme, day)] ?? []

/** A single date may follow the plan of another weekday. */
export function weekdayFollowed(programme: Programme | null, day: number): Weekday {
  const follows = programme?.dates?.length
    ? programme.dates.find(({ date }) => date === dateOf(day))?.follows
    : undefined
  return follows ?? (WEEKDAYS[weekdayOf(day)] as Weekday)
}
