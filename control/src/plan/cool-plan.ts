import { waterWkOf } from '../model/model.ts'
import { SENSED } from '../model/motion.ts'
import type { Aim } from '../room/types.ts'
import { planHeat } from './heat-plan.ts'
import type { HeatProblem } from './heat-problem.ts'
import { OUTLOOK_S } from './outlook.ts'
import { feltAfter, LIMITS, setLimits } from './plan-comfort.ts'
import type { Ahead, PlanTask } from './plan-task.ts'
import { build, EXACT, meanShare, move, type PlannedPath, pathOf, setCeiling } from './planner.ts'

/** `model` is that of the room while it cools. */
export type CoolTask = PlanTask & {
  /** Null where none may flow. */
  waterCAt: (atMs: number) => number | null
  /** No surface shall become colder. */
  leastFloorCAt: (atMs: number) => number
}

export type CoolPlan = {
  /** The open share for the coming block. */
  power: number
  outlookC: number
  path: PlannedPath
}

/**
 * The cheapest coolness: heat that may only be negative. With the sign of every temperature turned round, a room that is
 * cooled is a room that is heated, its warmest water the coldest one and the limit of its floor the dew point; so it is the
 * same problem, solved in the same way.
 */
export function makeCoolPlan(task: CoolTask): CoolPlan {
  const { problem, ahead } = mirrored(task)
  const plan = planHeat(problem, EXACT)
  const steps = Math.max(1, Math.round(task.blockS / (ahead.endS[0] as number)))
  const path = pathOf(task, problem, ahead, plan)
  return {
    power: meanShare(problem, ahead, plan, steps),
    outlookC: -feltAfter(problem, ahead, plan.path, ahead.endS.indexOf(OUTLOOK_S)),
    path: { ...path, airC: path.airC.map((c) => -c) },
  }
}

function mirrored(task: CoolTask): { problem: HeatProblem; ahead: Ahead } {
  const { nowMs, model, belief } = task
  const real = build({ ...task, energy: null })
  const { endS, aims, airOffset, feltOffset } = real.ahead
  const mirroredOffsets = { airOffset: negated(airOffset), feltOffset: negated(feltOffset) }
  const ahead: Ahead = { ...real.ahead, ...mirroredOffsets, aims: aims.map(mirroredAim) }
  const steps = endS.length
  const problem: HeatProblem = {
    ...real.problem,
    start: negated(real.problem.start),
    drift: real.problem.drift.map(negated),
    ceiling: new Float64Array(steps),
    slope: new Float64Array(steps),
    level: new Float64Array(steps * LIMITS.length),
    weight: new Float64Array(steps * LIMITS.length),
  }
  const free = Float64Array.from(problem.start)
  const slope = waterWkOf(model)
  const airC = -(belief.mean[SENSED] as number)
  for (let k = 0; k < steps; k++) {
    const fromS = endS[k - 1] ?? 0
    const hours = ((endS[k] as number) - fromS) / 3600
    const waterC = task.waterCAt(nowMs + fromS * 1000)
    const gain = problem.gain[k] as Float64Array
    if (waterC !== null)
      setCeiling(
        problem,
        k,
        model.airShare,
        { offset: -slope * waterC, slope },
        { pipeC: free[0] as number, airC },
        gain,
      )
    const most = ahead.most[k] as number
    problem.ceiling[k] = most * (problem.ceiling[k] as number)
    problem.slope[k] = most * (problem.slope[k] as number)
    move(free, problem.transition[k] as Float64Array, problem.drift[k] as Float64Array)
    const limit = { ...task, maxFloorC: -task.leastFloorCAt(nowMs + (endS[k] as number) * 1000) }
    setLimits(problem, k, LIMITS.length, ahead.aims[k] as Aim, ahead.feltOffset[k] as number, hours, limit)
  }
  return { problem, ahead }
}

const negated = (values: Float64Array): Float64Array => values.map((value) => -value)

/** What is too warm is too cold there. */
const mirroredAim = ({ targetC, lowC, highC, ...aim }: Aim): Aim => ({
  ...aim,
  targetC: -targetC,
  lowC: -highC,
  highC: -lowC,
})
