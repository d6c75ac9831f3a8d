import { MAX_TARGET_C, MIN_TARGET_C, SETBACK_K } from '../facts/limits.ts'
import {
  MOST_STEPS_A_DAY,
  minuteOf,
  type Programme,
  type ProgrammeStep,
  WEEKDAYS,
  type Weekday,
} from '../facts/programme.ts'
import { minuteText } from './local-time.ts'

/** A target, and how far a room is lowered from it in a week. */
export type WeekPlan = { targetC: number; programme: Programme | null }

type PlanWindow = { weekdays: Weekday[]; fromMinute: number; toMinute: number; changeK: number }

export const DAY_MINUTES = 24 * 60

/**
 * The plan with other temperatures in a window of some weekdays, and the same at all other times. Where that needs more
 * than the target, the target is raised and everything else lowered by as much. Null where no programme can say it.
 */
export function planWithWindow({ targetC, programme }: WeekPlan, window: PlanWindow): WeekPlan | null {
  const days = daysWith(programme ?? {}, window)
  const lowest = Math.min(0, ...WEEKDAYS.flatMap((day) => setbacksOf(days[day])))
  const plan = { targetC: exact(targetC - lowest), programme: { ...programme, ...raised(days, -lowest) } }
  return isPossible(plan) ? plan : null
}

/** The same week with another target; null where there can be no such target. */
export function planWithTarget({ targetC, programme }: WeekPlan, changeK: number): WeekPlan | null {
  const plan = { targetC: exact(targetC + changeK), programme }
  return isPossible(plan) ? plan : null
}

/** The steps of a day around two minutes; undefined where the day has none there. */
export function stepsAround(programme: Programme | null, day: Weekday, firstMinute: number, lastMinute: number) {
  const minutes = (programme?.[day] ?? []).map(({ at }) => minuteOf(at))
  return {
    before: minutes.findLast((minute) => minute <= firstMinute),
    after: minutes.find((minute) => minute > lastMinute),
  }
}

type Days = Record<Weekday, ProgrammeStep[]>

function daysWith(programme: Programme, window: PlanWindow): Days {
  return Object.fromEntries(
    WEEKDAYS.map((day, i) => {
      const eve = WEEKDAYS[(i + 6) % 7] as Weekday
      const isChanged = window.weekdays.includes(day)
      const isAfter = window.toMinute === DAY_MINUTES && window.weekdays.includes(eve)
      const steps = isChanged || isAfter ? withStep(programme, day, isAfter ? 0 : window.fromMinute) : programme[day]
      return [day, isChanged ? changedDay(programme, day, steps ?? [], window) : (steps ?? [])]
    }),
  ) as Days
}

function changedDay(programme: Programme, day: Weekday, steps: ProgrammeStep[], window: PlanWindow): ProgrammeStep[] {
  const { fromMinute, toMinute, changeK } = window
  const edges = [fromMinute, ...(toMinute < DAY_MINUTES ? [toMinute] : [])]
  const complete = edges.reduce((all, edge) => withStep({ ...programme, [day]: all }, day, edge), steps)
  return complete.map((step) => {
    const minute = minuteOf(step.at)
    const isIn = minute >= fromMinute && minute < toMinute
    return isIn ? { ...step, setback: exact(step.setback - changeK) } : step
  })
}

/** The steps of a day with one at a minute, which changes nothing. */
function withStep(programme: Programme, day: Weekday, minute: number): ProgrammeStep[] {
  const steps = programme[day] ?? []
  if (steps.some(({ at }) => minuteOf(at) === minute)) return steps
  const added = { at: minuteText(minute), setback: setbackOf(programme, day, minute) }
  return [...steps, added].toSorted((a, b) => minuteOf(a.at) - minuteOf(b.at))
}

/** In a week without special dates. */
function setbackOf(programme: Programme, day: Weekday, minute: number): number {
  const found = programme[day]?.findLast(({ at }) => minuteOf(at) <= minute)
  if (found) return found.setback
  const at = WEEKDAYS.indexOf(day)
  const before = [1, 2, 3, 4, 5, 6, 7].map((n) => programme[WEEKDAYS[(at + 7 - n) % 7] as Weekday] ?? [])
  return before.find((steps) => steps.length > 0)?.at(-1)?.setback ?? 0
}

/** Without steps that change nothing. */
const raised = (days: Days, byK: number): Days =>
  Object.fromEntries(
    WEEKDAYS.map((day) => [
      day,
      days[day]
        .filter((step, i) => i === 0 || step.setback !== days[day][i - 1]?.setback)
        .map(({ at, setback }) => ({ at, setback: exact(setback + byK) })),
    ]),
  ) as Days

const setbacksOf = (steps: ProgrammeStep[]): number[] => steps.map(({ setback }) => setback)

function isPossible({ targetC, programme }: WeekPlan): boolean {
  const days = WEEKDAYS.map((day) => programme?.[day] ?? [])
  return (
    targetC >= MIN_TARGET_C &&
    targetC <= MAX_TARGET_C &&
    days.every((steps) => steps.length <= MOST_STEPS_A_DAY) &&
    days.flatMap(setbacksOf).every((setback) => setback >= SETBACK_K.minimum && setback <= SETBACK_K.maximum)
  )
}

/** Sums of decimal numbers without the dust of binary ones. */
export const exact = (value: number): number => Math.round(1e6 * value) / 1e6
