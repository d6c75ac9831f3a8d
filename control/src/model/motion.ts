import { type Discrete, discretise, discretiseNoisy } from './linear.ts'
import type { Model } from './model.ts'
import { type Conditions, effectivePower, forcing, pushOf, rates, THERMAL_STATES } from './thermal.ts'

/** Pipe layer, surface, walls, what the sensor shows, and two disturbances in W/m², of hours and of days. */
export const PIPE = 0
export const SURFACE = 1
export const WALL = 2
export const SENSED = 3
export const HOURS = 4
export const DAYS = 5
export const SIZE = 6

export const HOURS_TAU_S = 4 * 3600
export const DAYS_TAU_S = 6 * 86_400

/** What the world does, beside the disturbances that are part of the state. */
export type Outside = Omit<Conditions, 'disturbanceWm2'>

/** Weather and sun are taken as constant for so long at most. */
const LONGEST_STEP_S = 1800

/** Continuous rates of all six states with the loop open for this share. */
export function allRates(model: Model, power: number): Float64Array {
  const small = rates(model, power)
  const push = pushOf(model, power)
  const all = new Float64Array(SIZE * SIZE)
  for (let i = 0; i < THERMAL_STATES; i++) {
    for (let j = 0; j < THERMAL_STATES; j++) all[i * SIZE + j] = small[i * THERMAL_STATES + j] as number
    all[i * SIZE + HOURS] = push[i] as number
    all[i * SIZE + DAYS] = push[i] as number
  }
  all[HOURS * SIZE + HOURS] = -1 / HOURS_TAU_S
  all[DAYS * SIZE + DAYS] = -1 / DAYS_TAU_S
  return all
}

/** A stretch of time at one power, as a linear map of the states and of what comes from outside. */
export type Stretch = Discrete

/**
 * A room's model made ready to move through time. The only way in which estimate, limits, accounts, twins and what-if do:
 * exact for every model that the fit may choose, however fast its floor.
 */
export class Motion {
  private readonly model: Model
  private readonly stretches = new Map<string, Stretch>()
  private readonly forced = new Float64Array(THERMAL_STATES)
  private readonly moved = new Float64Array(SIZE)

  constructor(model: Model) {
    this.model = model
  }

  /** Moves a mean in place with the given open share. */
  advance(mean: number[], outside: Outside, power: number, dtS: number) {
    for (const stepS of stepsOf(dtS)) {
      const share = this.shareOf(mean, outside, power)
      this.move(mean, this.stretch(share, stepS), outside, share)
    }
  }

  /** The open share that brings heat. */
  shareOf(mean: ArrayLike<number>, { outdoorC }: Outside, power: number): number {
    const warmed = { pipeC: mean[PIPE] as number, airC: mean[SENSED] as number }
    return effectivePower(this.model, power, outdoorC, warmed)
  }

  move(mean: number[], { transition, integral }: Stretch, outside: Outside, share: number) {
    const { forced, moved } = this
    forcing(this.model, { ...outside, disturbanceWm2: 0 }, share, forced)
    for (let i = 0; i < SIZE; i++) {
      const row = i * SIZE
      let sum = 0
      for (let j = 0; j < SIZE; j++) sum += (transition[row + j] as number) * (mean[j] as number)
      for (let j = 0; j < THERMAL_STATES; j++) sum += (integral[row + j] as number) * (forced[j] as number)
      moved[i] = sum
    }
    for (let i = 0; i < SIZE; i++) mean[i] = moved[i] as number
  }

  stretch(share: number, dtS: number): Stretch {
    const key = `${share} ${dtS}`
    const known = this.stretches.get(key)
    if (known) return known
    const made = discretise(allRates(this.model, share), SIZE, dtS)
    this.stretches.set(key, made)
    return made
  }

  /** The same with the covariance that the given noise grows to meanwhile. */
  noisyStretch(share: number, dtS: number, noise: Float64Array) {
    return discretiseNoisy(allRates(this.model, share), SIZE, dtS, noise)
  }
}

/** Equal steps that are short enough. */
export function stepsOf(dtS: number): number[] {
  const count = Math.ceil(dtS / LONGEST_STEP_S)
  return new Array<number>(count).fill(dtS / count)
}
