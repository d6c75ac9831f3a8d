import type { NightMode } from '@hypocaust/domain'
import {
  minuteOf,
  type Programme,
  type ProgrammeStep,
  programmeOfNight,
  WEEKDAYS,
  type Weekday,
} from '@hypocaust/domain/facts'

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

export interface Segment {
  fromMin: number
  toMin: number
  setback: number
}

/** A whole day, without gaps. */
export function segmentsOf(programme: Programme, day: Weekday): Segment[] {
  const steps = inOrder(stepsOf(programme, day))
  const starts = [
    { fromMin: 0, setback: setbackBefore(programme, day) },
    ...steps.map(({ at, setback }) => ({ fromMin: minuteOf(at), setback })),
  ]
  return starts
    .map((start, i) => ({ ...start, toMin: starts[i + 1]?.fromMin ?? MINUTES_A_DAY }))
    .filter(({ fromMin, toMin }) => toMin > fromMin)
}

export const inOrder = (steps: ProgrammeStep[]): ProgrammeStep[] =>
  [...steps].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))

/** Two steps at the same time contradict each other. */
export const isTwice = (steps: ProgrammeStep[], at: string): boolean =>
  steps.filter((step) => step.at === at).length > 1

/** A new step goes into the widest gap after the last one, and changes nothing yet. */
export function withNewStep(steps: ProgrammeStep[], before: number): ProgrammeStep[] {
  const last = inOrder(steps)[steps.length - 1]
  const minute = last ? Math.min(MINUTES_A_DAY - 30, minuteOf(last.at) + 120) : 360
  const two = (value: number) => String(value).padStart(2, '0')
  const at = `${two(Math.floor(minute / 60))}:${two(minute % 60)}`
  return [...steps, { at, setback: last?.setback ?? before }]
}

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
