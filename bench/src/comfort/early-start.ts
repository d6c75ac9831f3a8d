import { HOUR_S } from '@hypocaust/domain/facts'
import { type RoomState, scoredC, stepRoomState } from '@hypocaust/simulator'
import type { BuiltInPlant } from './built-in-plant.ts'
import type { World } from './world.ts'

const LOOK_EVERY_S = 600
const LOOK_AHEAD_S = 15 * HOUR_S
const SIMULATED_S = 120

/**
 * The best that an early start can be: it knows the very plant and the very weather, and raises the target at the last
 * moment from which full heat reaches the next setpoint in time.
 */
export class PerfectStart {
  private readonly world: World
  private readonly plant: BuiltInPlant
  /** How far below the next setpoint the room may be when it begins. */
  private readonly shortK: number
  private startedFor: { atS: number; targetC: number } | null = null

  constructor(world: World, plant: BuiltInPlant, shortK: number) {
    this.world = world
    this.plant = plant
    this.shortK = shortK
  }

  targetC(nowS: number): number {
    const { targetC } = this.plant.setpoint(nowS)
    if (this.startedFor && nowS >= this.startedFor.atS) this.startedFor = null
    if (!this.startedFor && nowS % LOOK_EVERY_S === 0) this.startedFor = this.isDue(nowS, targetC)
    return Math.max(targetC, this.startedFor?.targetC ?? targetC)
  }

  private isDue(nowS: number, nowC: number) {
    for (let atS = nowS + LOOK_EVERY_S; atS <= nowS + LOOK_AHEAD_S; atS += LOOK_EVERY_S) {
      const { targetC } = this.plant.setpoint(atS, nowS)
      if (targetC > nowC + 0.01) return this.withFullHeat(nowS, atS) <= targetC - this.shortK ? { atS, targetC } : null
    }
    return null
  }

  private withFullHeat(fromS: number, toS: number): number {
    const state: RoomState = { ...this.plant.state }
    for (let atS = fromS; atS < toS; atS += SIMULATED_S)
      stepRoomState(state, this.world.physics, this.world.boundary(atS), 1, SIMULATED_S)
    return scoredC(state)
  }
}
