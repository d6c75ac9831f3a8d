import type { FloorType } from '@hypocaust/domain'
import { relativeCosts } from '../model/heat-cost.ts'
import { discretise } from '../model/linear.ts'
import { fullHeat, type Model, type Warmed } from '../model/model.ts'
import { DAYS, DAYS_TAU_S, HOURS, HOURS_TAU_S, PIPE, SENSED, SURFACE, WALL } from '../model/motion.ts'
import type { Belief } from '../model/observer.ts'
import { airLiftK, airOffset, airRow, forcing, rates, THERMAL_STATES } from '../model/thermal.ts'
import type { Aim } from '../room/types.ts'
import { type HeatPlan, planHeat } from './heat-plan.ts'
import { type HeatProblem, look, missedCost } from './heat-problem.ts'
import { OUTLOOK_S } from './outlook.ts'
import {
  boundRoom,
  feltAfter,
  HELD_EDGE,
  LIMITS,
  LIMITS_WITH_MINIMUM,
  LOW_POINTS,
  setCosts,
  setLimits,
  setMinimum,
  setRise,
} from './plan-comfort.ts'
import { type Ahead, AIR_SHARE, type PlanTask } from './plan-task.ts'

/** Steps of one length. */
type Stretch = { stepS: number; steps: number }

const hourly: Stretch = { stepS: 3600, steps: 24 }

/** Two days: heat given in the morning of a sunny spell is still felt on its second afternoon, on light floors too. */
const HORIZON: Record<FloorType, Stretch[]> = {
  screed: [{ stepS: 1800, steps: 48 }, hourly],
  dry: [{ stepS: 900, steps: 96 }, hourly],
  timber: [{ stepS: 1800, steps: 96 }],
  slab: [{ stepS: 1800, steps: 96 }],
  electric: [{ stepS: 900, steps: 96 }, hourly],
}

/** Pipe layer, surface and walls. */
const FLOOR_STATES = 3
/** Where a part of the heat goes straight to the air: by how much it lifts the air during a step. */
const LIFT = 3
const STORED_VALUE = 0.8
/** How exactly a plan is solved. */
export const EXACT = 1e-3

/** Of the step in work. */
const forcingNow = new Float64Array(THERMAL_STATES)

export type Plan = {
  /** The open share for the coming block. */
  power: number
  /** The same without prices; null where heat costs the same at all times. */
  flatPower: number | null
  /** The same without a minimum of the floor; null where there is none. */
  powerWithoutMinimum: number | null
  /** When, without any heat, the room would fall below its band the furthest, and by how much. */
  without: { atMs: number; airC: number; lowC: number; floorNeedsS: number } | null
  /** What is felt when the outlook is due. */
  outlookC: number
  path: PlannedPath
}

export function makePlan(task: PlanTask): Plan {
  const { problem, ahead, flat, plain } = build(task)
  const plan = planHeat(problem, EXACT)
  const steps = Math.max(1, Math.round(task.blockS / (ahead.endS[0] as number)))
  return {
    power: meanShare(problem, ahead, plan, steps),
    flatPower: flat && meanShare(problem, ahead, flat, steps),
    powerWithoutMinimum: plain && meanShare(problem, ahead, plain, steps),
    without: withoutHeat(task, problem, ahead),
    outlookC: feltAfter(problem, ahead, plan.path, ahead.endS.indexOf(OUTLOOK_S)),
    path: pathOf(task, problem, ahead, plan),
  }
}

/** The whole of a plan, step by step. */
export type PlannedPath = {
  /** When each step ends, from now. */
  endS: number[]
  /** Heat in each step. */
  heatKwhM2: number[]
  /** Of full power, in each step. */
  share: number[]
  /** The air at the end of each step; where the floor is held, its surface. */
  airC: number[]
}

export function planPath(task: PlanTask): PlannedPath {
  const { problem, ahead } = build(task)
  return pathOf(task, problem, ahead, planHeat(problem, EXACT))
}

/** The air at the end of each step of a plan, without any heat. */
export function unheatedAirC(task: PlanTask): Pick<PlannedPath, 'endS' | 'airC'> {
  const { problem, ahead } = build({ ...task, energy: null, floorMinimum: null })
  const steps = ahead.endS.length
  const path = new Float64Array(steps * problem.states)
  const state = Float64Array.from(problem.start)
  for (let k = 0; k < steps; k++) {
    move(state, problem.transition[k] as Float64Array, problem.drift[k] as Float64Array)
    path.set(state, k * problem.states)
  }
  return { endS: ahead.endS, airC: airOf(task, problem, ahead, path) }
}

export function pathOf(task: PlanTask, problem: HeatProblem, ahead: Ahead, { heat, path }: HeatPlan): PlannedPath {
  const steps = Array.from(heat.keys())
  return {
    endS: ahead.endS,
    heatKwhM2: steps.map((k) => (((ahead.endS[k] as number) - (ahead.endS[k - 1] ?? 0)) / 3.6e6) * (heat[k] as number)),
    share: steps.map((k) => shareOf(problem, ahead, heat, path, k)),
    airC: airOf(task, problem, ahead, path),
  }
}

/** Of the states at the end of each step; where the floor is held, its surface. */
function airOf({ model, targetOf }: PlanTask, { states: n }: HeatProblem, ahead: Ahead, path: Float64Array): number[] {
  const air = airRow(model, CALM)
  return ahead.endS.map((_, k) =>
    targetOf === 'floor'
      ? (path[k * n + SURFACE] as number)
      : air.surface * (path[k * n + SURFACE] as number) +
        air.wall * (path[k * n + WALL] as number) +
        (n > LIFT ? (path[k * n + LIFT] as number) : 0) +
        (ahead.airOffset[k] as number),
  )
}

/** What it costs that the room is below its band on the way of a plan, and what all the rest costs. */
export function plannedCosts(task: PlanTask): { belowBand: number; rest: number; bought: number } {
  const { problem } = build(task)
  const { heat, path, cost } = planHeat(problem, EXACT)
  const belowBand = missedCost(problem, path, task.strategy === 'saving' ? 0 : HELD_EDGE, LOW_POINTS)
  const bought = heat.reduce((sum, each, k) => sum + each * (problem.price[k] as number), 0)
  return { belowBand, rest: cost - belowBand, bought }
}

/** Of full power, over the first steps. */
export function meanShare(problem: HeatProblem, ahead: Ahead, { heat, path }: HeatPlan, steps: number): number {
  let sum = 0
  for (let k = 0; k < steps; k++) sum += shareOf(problem, ahead, heat, path, k)
  const mean = sum / steps
  return Number.isFinite(mean) ? mean : 0
}

/** Heat as a share of what full power would give in that step. */
function shareOf(problem: HeatProblem, { most }: Ahead, heat: Float64Array, path: Float64Array, k: number): number {
  const pipeC = (k === 0 ? problem.start[PIPE] : path[(k - 1) * problem.states + PIPE]) as number
  const mostWm2 = (problem.ceiling[k] as number) - (problem.slope[k] as number) * pipeC
  const share = most[k] as number
  return mostWm2 > 0.5 * share ? share * Math.min(1, Math.max(0, (heat[k] as number) / mostWm2)) : 0
}

type Built = {
  problem: HeatProblem
  ahead: Ahead
  /** The plan without prices; null where heat costs the same at all times. */
  flat: HeatPlan | null
  /** The plan without a minimum of the floor; null where there is none. */
  plain: HeatPlan | null
}

export function build(task: PlanTask): Built {
  const { model, belief, nowMs } = task
  const stretches = HORIZON[task.floorType]
  const steps = stretches.reduce((sum, stretch) => sum + stretch.steps, 0)
  const ahead: Ahead = {
    endS: [],
    aims: [],
    airOffset: new Float64Array(steps),
    feltOffset: new Float64Array(steps),
    most: new Float64Array(steps),
    costSteps: [],
    sunnierK: new Float64Array(steps),
  }
  const n = statesOf(model)
  const rows = comfortRows(task)
  const limits = task.floorMinimum ? LIMITS_WITH_MINIMUM : LIMITS
  const rowCount = limits.length
  const airShare = task.targetOf === 'floor' ? 0 : AIR_SHARE
  const problem: HeatProblem = {
    states: n,
    start: Float64Array.from({ length: n }, (_, i) => (i < FLOOR_STATES ? (belief.mean[i] as number) : 0)),
    transition: [],
    gain: [],
    drift: [],
    price: new Float64Array(steps),
    ceiling: new Float64Array(steps),
    slope: new Float64Array(steps),
    rows,
    limits,
    level: new Float64Array(steps * rowCount),
    weight: new Float64Array(steps * rowCount),
    final: Float64Array.of(-model.pipeJk, -model.surfaceJk, -0.6 * model.wallJk, 0)
      .subarray(0, n)
      .map((joule) => (STORED_VALUE * joule) / 3.6e6),
  }
  const free = Float64Array.from(problem.start)
  const sunny = Float64Array.from(problem.start)
  let before = task.aimAt(nowMs)
  const add = (stepS: number, { transition, integral, gain }: ReturnType<typeof room>) => {
    const k = ahead.endS.length
    const fromS = ahead.endS.at(-1) ?? 0
    const endS = fromS + stepS
    const outside = task.outsideAt(nowMs + (fromS + stepS / 2) * 1000)
    const conditions = { ...outside, disturbanceWm2: disturbanceAt(belief, fromS + stepS / 2) }
    const drift = through(integral, forcing(model, conditions, 0, forcingNow), n)
    problem.transition.push(transition)
    problem.gain.push(gain)
    problem.drift.push(drift)
    problem.price[k] = stepS / 3.6e6
    setCeiling(problem, k, model.airShare, fullHeat(model, outside.outdoorC), warmedBy(belief, free), gain)
    const most = task.mostWithin(nowMs + fromS * 1000, nowMs + endS * 1000)
    ahead.most[k] = most
    problem.ceiling[k] = most * (problem.ceiling[k] as number)
    problem.slope[k] = most * (problem.slope[k] as number)
    move(free, transition, drift)
    const aim = task.aimAt(nowMs + endS * 1000)
    const disturbanceWm2 = disturbanceAt(belief, endS)
    const offset = airOffset(model, { ...task.outsideAt(nowMs + endS * 1000), disturbanceWm2 })
    ahead.endS.push(endS)
    ahead.aims.push(aim)
    ahead.costSteps.push({ fromMs: nowMs + fromS * 1000, toMs: nowMs + endS * 1000, outdoorC: outside.outdoorC })
    ahead.airOffset[k] = offset
    const feltOffset = airShare * offset
    ahead.feltOffset[k] = feltOffset
    if (task.energy) {
      const forced = { ...conditions, ...task.sunnierAt(nowMs + (fromS + stepS / 2) * 1000) }
      move(sunny, transition, through(integral, forcing(model, forced, 0, forcingNow), n))
      const sunnyOffset = airOffset(model, { ...task.sunnierAt(nowMs + endS * 1000), disturbanceWm2 })
      const felt = rows[0] as Float64Array
      ahead.sunnierK[k] = look(felt, sunny, 0) - look(felt, free, 0) + airShare * (sunnyOffset - offset)
    }
    setLimits(problem, k, rowCount, aim, feltOffset, stepS / 3600, task)
    setMinimum(problem, k, nowMs + endS * 1000, stepS / 3600, task)
    // The step that ends nearest to a rise is the one in which the room has to be warm.
    const due = task.aimAt(nowMs + (endS + stepS / 2) * 1000)
    setRise(problem, k * rowCount + HELD_EDGE, before, due, feltOffset, task)
    before = due
  }
  for (const { stepS, steps } of stretches) {
    const inOneStep = room(model, stepS)
    for (let i = 0; i < steps; i++) add(stepS, inOneStep)
  }
  const plain = task.floorMinimum && planWithoutMinimum(task)
  if (task.floorMinimum && plain) boundRoom(problem, ahead, task.floorMinimum, plain)
  const costs = relativeCosts(task.energy, model, ahead.costSteps)
  if (!costs) return { problem, ahead, flat: null, plain }
  const flat = planHeat(problem, EXACT)
  setCosts(problem, ahead, costs, task, flat)
  return { problem, ahead, flat, plain }
}

const planWithoutMinimum = (task: PlanTask): HeatPlan => planHeat(build({ ...task, floorMinimum: null }).problem, EXACT)

const statesOf = ({ airShare }: Model): number => (airShare > 0 ? LIFT + 1 : FLOOR_STATES)

/** A state one step on, in place. */
export function move(state: Float64Array, transition: Float64Array, drift: Float64Array) {
  const next = through(transition, state, state.length)
  for (let i = 0; i < state.length; i++) state[i] = (next[i] as number) + (drift[i] as number)
}

function room(model: Model, stepS: number) {
  const all = rates(model, 0)
  const cut = (i: number, j: number) => all[i * THERMAL_STATES + j] as number
  const floor = Float64Array.from({ length: FLOOR_STATES ** 2 }, (_, at) =>
    cut(Math.floor(at / FLOOR_STATES), at % FLOOR_STATES),
  )
  const { transition, integral } = discretise(floor, FLOOR_STATES, stepS)
  const n = statesOf(model)
  const padded = (matrix: Float64Array) =>
    n === FLOOR_STATES
      ? matrix
      : Float64Array.from({ length: n * n }, (_, at) => {
          const [i, j] = [Math.floor(at / n), at % n]
          return i < FLOOR_STATES && j < FLOOR_STATES ? (matrix[i * FLOOR_STATES + j] as number) : 0
        })
  const heated = heatedRates(model)
  const gain = Float64Array.from({ length: n }, (_, i) =>
    i === LIFT ? airLiftK(model) : look(heated, integral, i * FLOOR_STATES),
  )
  return { transition: padded(transition), integral: padded(integral), gain }
}

/** What a watt of heat changes, per second: most in the pipe layer, the rest in what the air warms. */
function heatedRates(model: Model): Float64Array {
  const { airShare } = model
  const air = airRow(model, CALM)
  return Float64Array.of(
    (1 - airShare) / model.pipeJk,
    (airShare * air.surface) / model.surfaceJk,
    (airShare * air.wall) / model.wallJk,
  )
}

const CALM = { outdoorC: 0, windMs: 3.5, solarGainWm2: 0, peopleWm2: 0, disturbanceWm2: 0 }

/** What is held, and the floor. */
function comfortRows({ model, targetOf }: PlanTask): Float64Array[] {
  const air = airRow(model, CALM)
  const felt = Float64Array.of(0, AIR_SHARE * air.surface, AIR_SHARE * air.wall + 1 - AIR_SHARE, AIR_SHARE)
  const floor = Float64Array.of(0, 1, 0, 0)
  return [targetOf === 'floor' ? floor : felt, floor].map((row) => row.subarray(0, statesOf(model)))
}

/** The air changes little against the water, so it is taken as it is now. */
const warmedBy = (belief: Belief, floor: Float64Array): Warmed => ({
  pipeC: floor[PIPE] as number,
  airC: belief.mean[SENSED] as number,
})

export function setCeiling(
  problem: HeatProblem,
  k: number,
  airShare: number,
  full: ReturnType<typeof fullHeat>,
  free: Warmed,
  gain: Float64Array,
) {
  const offset = full.offset - full.slope * airShare * free.airC
  const slope = full.slope * (1 - airShare)
  const freeWm2 = offset - slope * free.pipeC
  const fading = 1 + 0.5 * slope * (gain[0] as number)
  const fixed = freeWm2 <= 4 * slope
  problem.ceiling[k] = (fixed ? Math.max(0, freeWm2) : offset) / fading
  problem.slope[k] = fixed ? 0 : slope / fading
}

function withoutHeat({ nowMs, model, targetOf }: PlanTask, problem: HeatProblem, ahead: Ahead): Plan['without'] {
  const state = Float64Array.from(problem.start)
  const air = airRow(model, CALM)
  let worst: Plan['without'] = null
  for (let k = 0; k < problem.drift.length; k++) {
    move(state, problem.transition[k] as Float64Array, problem.drift[k] as Float64Array)
    const airC =
      air.surface * (state[SURFACE] as number) + air.wall * (state[WALL] as number) + (ahead.airOffset[k] as number)
    const felt =
      targetOf === 'floor' ? (state[SURFACE] as number) : AIR_SHARE * airC + (1 - AIR_SHARE) * (state[WALL] as number)
    const lowC = (ahead.aims[k] as Aim).lowC
    const isFirst = worst === null && felt < lowC - 0.05
    const isRise = k > 0 && lowC > (ahead.aims[k - 1] as Aim).lowC + 0.3
    // A shortage in the night gives way to the greater one at its end, not one of today to that of tomorrow.
    if (isFirst || (isRise && felt < lowC && (worst?.lowC ?? 0) < lowC))
      worst = { atMs: nowMs + (ahead.endS[k] as number) * 1000, airC: felt, lowC, floorNeedsS: 0 }
    if (isRise && worst) break
  }
  return worst && { ...worst, floorNeedsS: floorNeedsS(problem, ahead, worst.lowC - worst.airC) }
}

/** How long full heat takes to lift what is felt by `missingK`. */
function floorNeedsS(problem: HeatProblem, ahead: Ahead, missingK: number): number {
  const lift = new Float64Array(problem.states)
  const felt = problem.rows[0] as Float64Array
  for (let k = 0; k < problem.drift.length; k++) {
    const topWm2 = Math.max(
      0,
      (problem.ceiling[k] as number) -
        (problem.slope[k] as number) * ((problem.start[PIPE] as number) + (lift[PIPE] as number)),
    )
    const gain = problem.gain[k] as Float64Array
    move(
      lift,
      problem.transition[k] as Float64Array,
      gain.map((each) => each * topWm2),
    )
    if (look(felt, lift, 0) >= missingK) return ahead.endS[k] as number
  }
  return ahead.endS.at(-1) as number
}

const disturbanceAt = (belief: Belief, aheadS: number) =>
  (belief.mean[HOURS] as number) * Math.exp(-aheadS / HOURS_TAU_S) +
  (belief.mean[DAYS] as number) * Math.exp(-aheadS / DAYS_TAU_S)

function through(matrix: Float64Array, x: Float64Array, n: number): Float64Array {
  const result = new Float64Array(n)
  for (let i = 0; i < n; i++) {
    let sum = 0
    for (let j = 0; j < n; j++) sum += (matrix[i * n + j] as number) * (x[j] as number)
    result[i] = sum
  }
  return result
}
