import { minuteOf, type Programme, WEEKDAYS } from '@hypocaust/domain'

const HOUR_MIN = 60
const WEEK_DAYS = WEEKDAYS.length

/** The same week with each setback an hour earlier; null where there is none, or none has an hour before it. */
export function longerNights(programme: Programme | null): Programme | null {
  if (!programme) return null
  const week = WEEKDAYS.map((day) => programme[day] ?? [])
  let isLonger = false
  const longer = week.map((steps, day) =>
    steps.map(({ at, setback }, i) => {
      const before = steps[i - 1]
      const heldBefore = before?.setback ?? lastBefore(week, day)
      const minute = minuteOf(at) - HOUR_MIN
      if (setback <= heldBefore || minute < 0 || (before && minute <= minuteOf(before.at))) return { at, setback }
      isLonger = true
      return { at: clockOf(minute), setback }
    }),
  )
  return isLonger ? { ...programme, ...Object.fromEntries(WEEKDAYS.map((day, i) => [day, longer[i]])) } : null
}

/** What the step before a day's first asks for. */
function lastBefore(week: { setback: number }[][], day: number): number {
  for (let back = 1; back <= WEEK_DAYS; back++) {
    const last = week[(day - back + WEEK_DAYS) % WEEK_DAYS]?.at(-1)
    if (last) return last.setback
  }
  return 0
}

const clockOf = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
