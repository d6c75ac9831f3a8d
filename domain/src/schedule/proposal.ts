import type { Feeling } from '../facts/feelings.ts'
import { DEFAULT_COMFORT_BAND_K, FEEDBACK } from '../facts/limits.ts'
import { type Programme, WEEKDAYS, type Weekday } from '../facts/programme.ts'
import { DAY_MS } from '../facts/time.ts'
import { type Press, signOf } from './feedback.ts'
import { localTime, minuteText, weekdayOf } from './local-time.ts'
import { DAY_MINUTES, exact, planWithTarget, planWithWindow, stepsAround, type WeekPlan } from './plan-window.ts'
import { setpointAt } from './schedule.ts'

/** Presses older than this say nothing about the present. */
export const FEEDBACK_KEPT_MS = 28 * DAY_MS
/** On so many days more than the opposite, at a similar time of the day. */
const LEAST_DAYS = 3
/** The same for presses all over the day. */
const LEAST_DAYS_OF_TARGET = 5
const SIMILAR_MINUTES = 180
/** A step of the plan so close to the presses is the edge of the change; else it begins and ends so long around them. */
const EDGE_MINUTES = { before: 120, after: 180 }
const MARGIN_MINUTES = { before: 60, after: 120 }
const GRID_MINUTES = 30
/** A difference of less is one of measuring. */
const LEAST_K = 0.25
const PROPOSED_K = { step: 0.5, most: 1 }

/** Another plan for a room, by what its people pressed. Nothing changes unless a person accepts it. */
export type PlanProposal = {
  feeling: Feeling
  /** On how many days it was pressed. */
  days: number
  /** Null where it is the target, all week. */
  window: { weekdays: Weekday[]; from: string; to: string } | null
  setpointC: number
  proposedC: number
  plan: WeekPlan
}

type Unmet = { day: number; minute: number; feeling: Feeling; missingK: number; plannedC: number }

/** What would meet the presses of the last weeks; null while they are too few, contradict each other, or are met. */
export function proposalOf(
  presses: Press[],
  plan: WeekPlan & { timeZone: string },
  nowMs: number,
): PlanProposal | null {
  const unmet = presses
    .filter(({ atMs }) => atMs > nowMs - FEEDBACK_KEPT_MS && atMs <= nowMs)
    .toSorted((a, b) => a.atMs - b.atMs)
    .map((press) => unmetOf(press, plan))
    .filter(({ missingK }) => missingK >= LEAST_K)
  return windowProposal(unmet, plan) ?? targetProposal(unmet, plan)
}

/** A room within its band of the setpoint is as it was asked to be; one that is further away has not got there yet. */
function unmetOf({ atMs, feeling, setpointC, temperatureC }: Press, plan: WeekPlan & { timeZone: string }): Unmet {
  const { day, minuteOfDay: minute } = localTime(plan.timeZone, atMs)
  const steering = { kind: 'automatic' as const }
  const plannedC = setpointAt({ ...plan, steering, override: null, away: null }, atMs).setpointC
  const sign = signOf(feeling)
  const keptK = Math.min(sign * setpointC, sign * (temperatureC ?? setpointC) + DEFAULT_COMFORT_BAND_K)
  return { day, minute, feeling, plannedC, missingK: keptK + FEEDBACK.kelvin - sign * plannedC }
}

function windowProposal(unmet: Unmet[], plan: WeekPlan): PlanProposal | null {
  const groups = unmet.map(({ minute: first, feeling }) =>
    agreed(
      unmet.filter(({ minute }) => minute >= first && minute <= first + SIMILAR_MINUTES),
      feeling,
      LEAST_DAYS,
    ),
  )
  const group = largest(groups)
  if (!group) return null
  const { feeling, changeK, plannedC, days } = summaryOf(group)
  const minutes = group.map(({ minute }) => minute)
  const weekdays = weekdaysOf(group)
  const weekday = WEEKDAYS[weekdayOf((group.at(-1) as Unmet).day)] as Weekday
  const span = spanAround(plan.programme, weekday, Math.min(...minutes), Math.max(...minutes))
  const changed = planWithWindow(plan, { weekdays, ...span, changeK })
  if (!changed) return null
  const window = { weekdays, from: minuteText(span.fromMinute), to: minuteText(span.toMinute % DAY_MINUTES) }
  return { feeling, days, window, setpointC: plannedC, proposedC: exact(plannedC + changeK), plan: changed }
}

function targetProposal(unmet: Unmet[], plan: WeekPlan): PlanProposal | null {
  const group = largest([
    agreed(unmet, 'too_cold', LEAST_DAYS_OF_TARGET),
    agreed(unmet, 'too_warm', LEAST_DAYS_OF_TARGET),
  ])
  if (!group) return null
  const { feeling, changeK, days } = summaryOf(group)
  const changed = planWithTarget(plan, changeK)
  return changed && { feeling, days, window: null, setpointC: plan.targetC, proposedC: changed.targetC, plan: changed }
}

/** The last press of each day, where enough days more have this feeling than the other. */
function agreed(presses: Unmet[], feeling: Feeling, leastDays: number): Unmet[] {
  const ofDays = new Map(presses.map((press) => [press.day, press]))
  const group = [...ofDays.values()].filter((press) => press.feeling === feeling)
  return group.length - (ofDays.size - group.length) >= leastDays ? group : []
}

const largest = (groups: Unmet[][]): Unmet[] | undefined =>
  groups.filter((group) => group.length > 0).toSorted((a, b) => b.length - a.length)[0]

function summaryOf(group: Unmet[]) {
  const [{ feeling }] = group as [Unmet]
  const byMissing = group.toSorted((a, b) => a.missingK - b.missingK)
  const { missingK } = byMissing[Math.floor((group.length - 1) / 2)] as Unmet
  const { step, most } = PROPOSED_K
  const changeK = signOf(feeling) * Math.min(most, Math.max(step, step * Math.round(missingK / step)))
  return { feeling, changeK, plannedC: (group.at(-1) as Unmet).plannedC, days: group.length }
}

/** Working days, the weekend, or all of them. */
function weekdaysOf(group: Unmet[]): Weekday[] {
  const isWeekend = ({ day }: { day: number }) => weekdayOf(day) >= 5
  if (group.every(isWeekend)) return WEEKDAYS.slice(5)
  return group.some(isWeekend) ? [...WEEKDAYS] : WEEKDAYS.slice(0, 5)
}

function spanAround(programme: Programme | null, weekday: Weekday, firstMinute: number, lastMinute: number) {
  const { before, after } = stepsAround(programme, weekday, firstMinute, lastMinute)
  const isEdge = {
    before: before !== undefined && firstMinute - before <= EDGE_MINUTES.before,
    after: after !== undefined && after - lastMinute <= EDGE_MINUTES.after,
  }
  const from = GRID_MINUTES * Math.floor((firstMinute - MARGIN_MINUTES.before) / GRID_MINUTES)
  const to = GRID_MINUTES * Math.ceil((lastMinute + MARGIN_MINUTES.after) / GRID_MINUTES)
  return {
    fromMinute: isEdge.before ? (before as number) : Math.max(0, from),
    toMinute: isEdge.after ? (after as number) : Math.min(DAY_MINUTES, to),
  }
}
