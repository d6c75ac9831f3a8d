import type { NightMode } from '@hypocaust/domain'
import { type Programme, type ProgrammeStep, programmeOfNight, WEEKDAYS, type Weekday } from '@hypocaust/domain/facts'

export const MINUTES_A_DAY = 1440

const USUAL: NightMode = { from: '22:30', to: '05:30', setback: 2 }

/** What a person begins with: what the room has, written as a week. */
export const weekOf = ({ programme, night_mode }: { programme: Programme | null; night_mode: NightMode | null }) =>
  programme ?? programmeOfNight(night_mode ?? USUAL)

export const stepsOf = (programme: Programme, day: Weekday): ProgrammeStep[] => programme[day] ?? []

/** The last step of the days before holds until the first of a day. */
export function setbackBefore(programme: Programme, day: Weekday): number {
  const today = WEEKDAYS.indexOf(day)
  for (let back = 1; back <= WEEKDAYS.length; back++) {
    const before = WEEKDAYS[(today - back + WEEKDAYS.length) % WEEKDAYS.length] as Weekday
    const steps = stepsOf(programme, before)
    const last = steps[steps.length - 1]
    if (last) return last.setback
  }
  return 0
}

export const inOrder = (steps: ProgrammeStep[]): ProgrammeStep[] =>
  [...steps].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))

export function copyDay(programme: Programme, from: Weekday, to: readonly Weekday[]): Programme {
  const steps = stepsOf(programme, from)
  return { ...programme, ...Object.fromEntries(to.map((day) => [day, steps.map((step) => ({ ...step }))])) }
}

/** As it is sent: every day in order, and none that has no steps. */
export function tidied(programme: Programme): Programme {
  const days = WEEKDAYS.flatMap((day) => {
    const steps = inOrder(stepsOf(programme, day))
    return steps.length > 0 ? [[day, steps] as const] : []
  })
  const dates = programme.dates?.length ? { dates: programme.dates } : {}
  return { ...Object.fromEntries(days), ...dates }
}
