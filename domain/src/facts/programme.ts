/** The week plan of a room, without the schema library. */
export const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
export type Weekday = (typeof WEEKDAYS)[number]

/** From `at`, local time, on: so many kelvin below the target. The room is warm by a step; heating starts before it. */
export interface ProgrammeStep {
  at: string
  setback: number
}

/** A single date that follows the plan of another weekday. */
export interface ProgrammeDate {
  date: string
  follows: Weekday
}

/** The last step holds until the next one, also over days without any. */
export type Programme = { [Day in Weekday]?: ProgrammeStep[] } & { dates?: ProgrammeDate[] }

export const MOST_STEPS_A_DAY = 24
export const MOST_DATES = 60

/** The same window every night; at the weekend it may be another. */
interface Night {
  from: string
  to: string
  setback: number
  weekend?: { from: string; to: string }
}

export const minuteOf = (clock: string): number => 60 * Number(clock.slice(0, 2)) + Number(clock.slice(3, 5))

/** Night mode is the simple case: every day is planned by its own row, so Friday's evening is a weekday's. */
export function programmeOfNight({ setback, weekend, ...weekday }: Night): Programme {
  const isWeekend = (day: Weekday) => day === 'saturday' || day === 'sunday'
  return Object.fromEntries(
    WEEKDAYS.map((day) => [day, stepsOfNight(isWeekend(day) ? (weekend ?? weekday) : weekday, setback)]),
  )
}

function stepsOfNight({ from, to }: { from: string; to: string }, setback: number): ProgrammeStep[] {
  if (from === to) return [{ at: '00:00', setback: 0 }]
  const isPastMidnight = from > to
  const steps = isPastMidnight
    ? [
        { at: '00:00', setback },
        { at: to, setback: 0 },
        { at: from, setback },
      ]
    : [
        { at: '00:00', setback: 0 },
        { at: from, setback },
        { at: to, setback: 0 },
      ]
  // Where a night begins or ends at midnight, its own step counts.
  return steps.filter(({ at }, i) => steps[i + 1]?.at !== at)
}

export interface ProgrammeProblem {
  path: (string | number)[]
  message: string
}

/** What the form of a programme does not show: its order, its dates, and that there is something in it. */
export function programmeProblems(programme: Programme): ProgrammeProblem[] {
  const days = WEEKDAYS.map((day) => ({ day, steps: programme[day] ?? [] }))
  const order = days.flatMap(({ day, steps }) =>
    steps.flatMap(({ at }, i) =>
      i > 0 && at <= (steps[i - 1]?.at ?? '')
        ? [{ path: [day, i, 'at'], message: 'must be later than the step before it' }]
        : [],
    ),
  )
  const dates = (programme.dates ?? []).flatMap(({ date }, i, all) => {
    const path = ['dates', i, 'date']
    if (!isCalendarDate(date)) return [{ path, message: `no such date: ${date}` }]
    return all.findIndex((other) => other.date === date) < i ? [{ path, message: `${date} is there twice` }] : []
  })
  const isEmpty = days.every(({ steps }) => steps.length === 0)
  return isEmpty ? [{ path: [], message: 'must have at least one step' }] : [...order, ...dates]
}

function isCalendarDate(date: string): boolean {
  const ms = Date.parse(`${date}T00:00:00.000Z`)
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(date)
}
