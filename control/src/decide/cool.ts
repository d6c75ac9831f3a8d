import { DEW_MARGIN_K } from '@hypocaust/domain/facts'
import { modelOf, withCoolWater } from '../model/model.ts'
import { SURFACE } from '../model/motion.ts'
import type { CoolTask } from '../plan/cool-plan.ts'
import type { PlanTask } from '../plan/plan-task.ts'
import { coolWaterC, hourAt, shutToCooling } from '../room/cooling.ts'
import type { RoomControl } from '../room/state.ts'
import type { Aim, ShutToCooling, StepInput } from '../room/types.ts'

/** Where the model is not to be trusted, full coolness at so much above the band. */
const FULL_AT_K = 1.5

/** Why the loop must be shut now, by the reading of this tick. */
export const shutNow = (state: RoomControl, input: StepInput): ShutToCooling | null =>
  shutToCooling(input, state.belief?.mean[SURFACE] ?? null)

/** What a plan that cools is about; `task` is that of a plan that heats. Null where what it needs is not known. */
export function coolTask(task: PlanTask, { floorType, learned }: RoomControl, input: StepInput): CoolTask | null {
  const { cooling, nowMs } = input
  const waterC = coolWaterC(input, nowMs)
  if (!cooling?.dewC || waterC === null) return null
  const leastC = (atMs: number) => (hourAt(cooling.dewC, atMs) as number) + DEW_MARGIN_K.planned
  return {
    ...task,
    targetOf: 'air',
    floorMinimum: null,
    model: withCoolWater(modelOf(floorType, learned), waterC),
    leastFloorCAt: leastC,
    waterCAt: (atMs) => {
      const aheadC = hourAt(cooling.waterC, atMs) ?? waterC
      return aheadC >= leastC(atMs) ? aheadC : null
    },
  }
}

/** Plain feedback on the reading, as long as the water is colder than the room. */
export function coolFeedback(input: StepInput, { highC }: Aim): number {
  const { air, nowMs } = input
  const waterC = coolWaterC(input, nowMs)
  if (air.kind !== 'fresh' || waterC === null || !(waterC < air.airC)) return 0
  return Math.min(1, Math.max(0, (air.airC - highC) / FULL_AT_K))
}
