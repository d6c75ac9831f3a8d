import type { FloorType } from '@hypocaust/domain'
import type { CostStep, Energy } from '../model/heat-cost.ts'
import type { Model } from '../model/model.ts'
import type { Outside } from '../model/motion.ts'
import type { Belief } from '../model/observer.ts'
import type { Aim, Strategy } from '../room/types.ts'

/** What people feel: mostly the air, partly the walls. */
export const AIR_SHARE = 0.7

export type PlanTask = {
  floorType: FloorType
  model: Model
  belief: Belief
  nowMs: number
  /** For how long the answer will hold. */
  blockS: number
  outsideAt: (atMs: number) => Outside
  /** The same with as much more sun as the forecast may have missed. */
  sunnierAt: (atMs: number) => Outside
  aimAt: (atMs: number) => Aim
  /** The share of full power that may come in that time: 0 in idle hours, less than 1 while the grid limits the source. */
  mostWithin: (fromMs: number, toMs: number) => number
  maxFloorC: number
  /** What the aims are the temperature of. */
  targetOf: 'air' | 'floor'
  /** Null where the floor has no minimum. */
  floorMinimum: PlannedMinimum | null
  /** One standard deviation of what the room may do otherwise than predicted. */
  doubtK: number
  strategy: Strategy
  /** What heat costs when; null where it costs the same at all times. */
  energy: Energy | null
}

/** The least that the surface shall have at a moment, and the most that the room may be warmed to for it. */
export type PlannedMinimum = { leastAt: (atMs: number) => number | null; roomMostC: (aim: Aim) => number }

/** What lies ahead, one a step; `endS` counts from now. */
export type Ahead = {
  endS: number[]
  aims: Aim[]
  airOffset: Float64Array
  /** Of what is held, beside what the state gives. */
  feltOffset: Float64Array
  /** The share of full power that may come. */
  most: Float64Array
  costSteps: CostStep[]
  /** How much warmer the room would be with all the sun that the forecast may have missed. */
  sunnierK: Float64Array
}
