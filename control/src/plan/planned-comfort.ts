import { SURFACE } from '../model/motion.ts'
import type { Aim } from '../room/types.ts'
import { planHeat } from './heat-plan.ts'
import { feltAfter } from './plan-comfort.ts'
import type { PlanTask } from './plan-task.ts'
import { build, EXACT, type PlannedPath, pathOf } from './planner.ts'

/** How a plan leaves the room, beside its heat. */
export type PlannedComfort = PlannedPath & {
  /** Outside the band: too cold at all times, too warm while somebody is there. */
  kelvinHours: number
  /** What is felt, at the end of each step. */
  feltC: number[]
  warmestFloorC: number
}

export function plannedComfort(task: PlanTask): PlannedComfort {
  const { problem, ahead } = build(task)
  const plan = planHeat(problem, EXACT)
  const feltC = ahead.endS.map((_, k) => feltAfter(problem, ahead, plan.path, k))
  const hoursOutside = feltC.map((eachC, k) => {
    const { lowC, highC, occupied } = ahead.aims[k] as Aim
    const outsideK = Math.max(0, lowC - eachC) + (occupied ? Math.max(0, eachC - highC) : 0)
    return (outsideK * ((ahead.endS[k] as number) - (ahead.endS[k - 1] ?? 0))) / 3600
  })
  return {
    ...pathOf(task, problem, ahead, plan),
    kelvinHours: hoursOutside.reduce((sum, each) => sum + each, 0),
    feltC,
    warmestFloorC: Math.max(...feltC.map((_, k) => plan.path[k * problem.states + SURFACE] as number)),
  }
}
