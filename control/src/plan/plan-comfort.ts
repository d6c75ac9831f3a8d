import type { FloorType } from '@hypocaust/domain'
import { HOUR_MS } from '@hypocaust/domain/facts'
import type { CostStep } from '../model/heat-cost.ts'
import type { Aim, Strategy } from '../room/types.ts'
import type { HeatPlan } from './heat-plan.ts'
import { type HeatProblem, look } from './heat-problem.ts'
import type { Ahead, PlannedMinimum, PlanTask } from './plan-task.ts'

/** A kelvin-hour outside the band, and one above the floor's limit. */
const PENALTY_PER_KH = 0.02
const FLOOR_PENALTY_PER_KH = 1

/** A kelvin-hour that the floor is below its minimum: several times what its heat costs. */
const COLD_FLOOR_PER_KH = 0.3
/** A kelvin-hour that the room is warmer than it may become for its floor: more than any minimum is worth. */
const HOT_ROOM_PER_KH = 1

/** The error of a prediction as three points: a soft limit hit by any of them counts by its share. */
type Point = { sigmas: number; share: number }
const WARMER: Point = { sigmas: 1.3, share: 0.25 }
const POINTS: Point[] = [WARMER, { sigmas: 0, share: 0.5 }, { sigmas: -1.3, share: 0.25 }]
/** A kelvin-hour below the setpoint, where it is held: several times what the heat for it costs, and less than one
 * below the band. */
const HOLD_PER_KH = 0.006
/** Far below the band a kelvin-hour counts several times as much: sun that makes a room too warm can be kept out or
 * aired out, a cold morning cannot. */
const FAR_BELOW_K = 0.5
const FAR_PER_KH = 0.08

/** A night's setback is at most this deep. In one night a room does not cool so far that it would be late. */
const NEAR_RISE_K = 3
/** For each kelvin of a rise beyond that: what a kelvin too little at the rise costs, and what a plan may be wrong by
 * after so long a way. */
const RISE_PER_K = 0.08
const RISE_MARGIN = 0.18

/** What is felt with three degrees of doubt from below, the same from above, and the floor from above. */
export const LIMITS: HeatProblem['limits'] = [
  ...POINTS.map(() => ({ row: 0, sign: 1 as const })),
  ...POINTS.map(() => ({ row: 0, sign: -1 as const })),
  { row: 1, sign: -1 },
]

/** Where the floor has a minimum, it from below, and the room from above. */
export const LIMITS_WITH_MINIMUM: HeatProblem['limits'] = [...LIMITS, { row: 1, sign: 1 }, { row: 0, sign: -1 }]

/** The limit of the floor's covering counts for its minimum too. */
export function setMinimum(
  problem: HeatProblem,
  k: number,
  endMs: number,
  hours: number,
  { floorMinimum, maxFloorC }: PlanTask,
) {
  const leastC = floorMinimum?.leastAt(endMs) ?? null
  if (leastC !== null)
    set(problem, k * problem.limits.length + LIMITS.length, Math.min(leastC, maxFloorC), COLD_FLOOR_PER_KH * hours)
}

/** What the room would be warmed to anyway is no reason to heat it less: `plain` is the plan without the minimum. */
export function boundRoom(problem: HeatProblem, ahead: Ahead, minimum: PlannedMinimum, plain: HeatPlan) {
  for (const [k, aim] of ahead.aims.entries()) {
    const mostC = Math.max(minimum.roomMostC(aim), feltAfter(problem, ahead, plain.path, k))
    if (!Number.isFinite(mostC)) continue
    const hours = ((ahead.endS[k] as number) - (ahead.endS[k - 1] ?? 0)) / 3600
    const at = k * problem.limits.length + LIMITS.length + 1
    set(problem, at, (ahead.feltOffset[k] as number) - mostC, HOT_ROOM_PER_KH * hours)
  }
}

export function setLimits(
  problem: HeatProblem,
  k: number,
  rowCount: number,
  aim: Aim,
  feltOffset: number,
  hours: number,
  task: PlanTask,
) {
  const at = k * rowCount
  const { doubtK } = task
  const setLow = (i: number, lowC: number, perKh: number) => set(problem, at + i, lowC - feltOffset, perKh * hours)
  if (task.strategy === 'saving')
    for (let i = 0; i < POINTS.length; i++) {
      const { sigmas, share } = POINTS[i] as Point
      setLow(i, aim.lowC + sigmas * doubtK, share * PENALTY_PER_KH)
    }
  else {
    // The setpoint is far enough above the lower edge for one point of doubt to do there.
    setLow(0, aim.targetC, HOLD_PER_KH)
    setLow(HELD_EDGE, aim.lowC + doubtK, PENALTY_PER_KH - HOLD_PER_KH)
    setLow(2, aim.lowC - FAR_BELOW_K, FAR_PER_KH - PENALTY_PER_KH)
  }
  for (let i = 0; i < POINTS.length; i++) {
    const { sigmas, share } = POINTS[i] as Point
    const highC = aim.highC - sigmas * doubtK - feltOffset
    set(problem, at + LOW_POINTS + i, -highC, aim.occupied ? share * PENALTY_PER_KH * hours : 0)
  }
  set(problem, at + BAND_POINTS, -task.maxFloorC, FLOOR_PENALTY_PER_KH * hours)
}

function set({ level, weight }: HeatProblem, at: number, least: number, price: number) {
  level[at] = least
  weight[at] = price
}

/** How many of the limits keep what is felt from below, and how many from both sides. */
export const LOW_POINTS = POINTS.length
const BAND_POINTS = 2 * POINTS.length

/** Which of the limits from below is the lower edge of the band, where the setpoint is held. */
export const HELD_EDGE = 1

/**
 * Warm by a rise of several kelvins, not an hour after it. The further a room has cooled, the more it costs to be warm an
 * hour early; by the price of a kelvin-hour alone it would be late.
 */
export function setRise(problem: HeatProblem, edge: number, before: Aim, due: Aim, feltOffset: number, task: PlanTask) {
  const farK = due.lowC - before.lowC - NEAR_RISE_K
  if (task.strategy === 'saving' || farK <= 0) return
  const marginK = task.doubtK + RISE_MARGIN * farK
  problem.level[edge] = Math.min(due.targetC, due.lowC + marginK) - feltOffset
  problem.weight[edge] = (problem.weight[edge] as number) + RISE_PER_K * farK
}

/**
 * Heat that costs more at some times than at others. The band is kept as firmly in the most expensive step as it is kept
 * where heat always costs the same; the setpoint within it only where comfort comes first.
 */
export function setCosts(
  problem: HeatProblem,
  ahead: Ahead,
  costs: number[],
  { strategy, floorType, doubtK }: PlanTask,
  flat: HeatPlan,
) {
  const rowCount = problem.limits.length
  const warmestC = Math.max(...ahead.aims.map(({ highC }) => highC))
  const highest = Math.max(...costs)
  const { below, above, margin } = firmness(floorType, strategy, missedPerKwh(problem, ahead, flat))
  for (const [k, cost] of costs.entries()) {
    const at = k * rowCount
    problem.price[k] = (problem.price[k] as number) * cost
    const { fromMs, toMs } = ahead.costSteps[k] as CostStep
    const { occupied, targetC } = ahead.aims[k] as Aim
    const feltOffset = ahead.feltOffset[k] as number
    if (!occupied) keepBelow(problem, at, warmestC - feltOffset, (toMs - fromMs) / HOUR_MS, doubtK)
    for (let i = strategy === 'hold' ? HELD_EDGE : 0; i < BAND_POINTS; i++)
      problem.weight[at + i] = (problem.weight[at + i] as number) * highest * (i < LOW_POINTS ? below : above)
    if (strategy !== 'saving') {
      const edge = at + HELD_EDGE
      problem.level[edge] = Math.min(targetC - feltOffset, (problem.level[edge] as number) + doubtK)
    }
    for (let i = LOW_POINTS; i < BAND_POINTS; i++)
      problem.level[at + i] = (problem.level[at + i] as number) + margin * doubtK
    for (let i = LIMITS.length; i < rowCount; i++)
      problem.weight[at + i] = (problem.weight[at + i] as number) * highest * above
    // Heat that is stored cannot be taken back when the sun comes after all.
    const warmerK = WARMER.sigmas * doubtK
    problem.level[at + LOW_POINTS] =
      (problem.level[at + LOW_POINTS] as number) + Math.hypot(warmerK, ahead.sunnierK[k] as number) - warmerK
  }
}

/** How much more a kelvin-hour on either side counts, and by how many spreads of an error the upper edge is lowered. */
type Firmness = { below: number; above: number; margin: number }

/**
 * A plan that follows prices uses the edges of the band, where each error of a prediction counts. Heat that was stored
 * is there for hours, and in a slab for half a day.
 */
const FIRMNESS: Record<FloorType, Firmness> = {
  screed: { below: 3, above: 3, margin: 0 },
  dry: { below: 3, above: 4.5, margin: 0.5 },
  timber: { below: 3, above: 4.5, margin: 1 },
  slab: { below: 5, above: 7, margin: 1 },
  electric: { below: 3, above: 4.5, margin: 1 },
}
/**
 * Where the sun takes the room out of its band on both sides, prices or not, there is no edge to keep: heat that is
 * missing in the morning is too much in the afternoon, and a kelvin-hour on either side counts little more than its worth.
 */
const LEAST = 2
/** With so many kelvin-hours on either side for each kWh/m² of heat, in a plan without prices, it is half way there. */
const BOTH_SIDES_PER_KWH = 2

/** Where the setpoint is held, the band is kept more firmly, and the upper edge is always lowered. */
const WHERE_HELD = 1.5

function firmness(floorType: FloorType, strategy: Strategy, missed: number): Firmness {
  const { below, above, margin } = FIRMNESS[floorType]
  const share = 1 / (1 + (missed / BOTH_SIDES_PER_KWH) ** 4)
  const isHeld = strategy !== 'saving'
  const faded = (weight: number) => (LEAST + share * (weight - LEAST)) * (isHeld ? WHERE_HELD : 1)
  return { below: faded(below), above: faded(above), margin: isHeld ? 1 : margin }
}

const LEAST_HEAT_KWH = 0.1

/** How far a plan without prices leaves the band on both sides, for each kWh/m² of its heat: the geometric mean of the
 * kelvin-hours below the band and, in occupied hours, above it. */
function missedPerKwh(problem: HeatProblem, ahead: Ahead, { heat, path }: HeatPlan): number {
  let below = 0
  let above = 0
  let heatKwh = 0
  for (const [k, { lowC, highC, occupied }] of ahead.aims.entries()) {
    const { fromMs, toMs } = ahead.costSteps[k] as CostStep
    const hours = (toMs - fromMs) / HOUR_MS
    const feltC = feltAfter(problem, ahead, path, k)
    below += Math.max(0, lowC - feltC) * hours
    if (occupied) above += Math.max(0, feltC - highC) * hours
    heatKwh += ((heat[k] as number) * hours) / 1000
  }
  return Math.sqrt(below * above) / Math.max(LEAST_HEAT_KWH, heatKwh)
}

/** What is felt after a step. */
export const feltAfter = (problem: HeatProblem, { feltOffset }: Ahead, path: Float64Array, k: number): number =>
  look(problem.rows[0] as Float64Array, path, k * problem.states) + (feltOffset[k] as number)

/** Cheap heat is stored at night too, but no room gets warmer than it may be by day. */
function keepBelow(problem: HeatProblem, at: number, highC: number, hours: number, doubtK: number) {
  for (const [i, { sigmas, share }] of POINTS.entries()) {
    problem.level[at + LOW_POINTS + i] = -(highC - sigmas * doubtK)
    problem.weight[at + LOW_POINTS + i] = share * PENALTY_PER_KH * hours
  }
}
