import { type Model, NEIGHBOUR_C } from './model.ts'
import { type Conditions, effectivePower, forcing, rates, THERMAL_STATES } from './thermal.ts'

/**
 * A Kalman filter over pipe layer, surface, walls, sensor, and two disturbances in W/m²: one of hours (people, stove,
 * a cloud) and one of days (whatever the model has wrong).
 */
export type Belief = {
  mean: number[]
  /** Covariance, row-major. */
  spread: number[]
}

export const PIPE = 0
export const SURFACE = 1
export const WALL = 2
export const SENSED = 3
export const HOURS = 4
export const DAYS = 5
export const SIZE = 6

export const HOURS_TAU_S = 4 * 3600
export const DAYS_TAU_S = 6 * 86_400
const HOURS_SD_WM2 = 3
const DAYS_SD_WM2 = 5
/** Unmodelled drift of floor, walls and sensor, K² per second. */
const DRIFT = [2e-6, 2e-6, 4e-7, 1e-7]
export const READING_VARIANCE = 0.02
const PROBE_VARIANCE = 0.05
const MEAN_STEP_S = 120
const SPREAD_STEP_S = 200

/** Knowing only one temperature: everything near it, nothing certain. */
export function firstBelief(airC: number): Belief {
  const spread = new Array<number>(SIZE * SIZE).fill(0)
  const variances = [4, 1, 0.5, 0.1, HOURS_SD_WM2 ** 2, DAYS_SD_WM2 ** 2]
  for (const [i, variance] of variances.entries()) spread[i * SIZE + i] = variance
  return { mean: [airC + 2.5, airC + 2, 0.9 * airC + 0.1 * NEIGHBOUR_C, airC, 0, 0], spread }
}

export type Outside = Omit<Conditions, 'disturbanceWm2'>

/** Of the step in work: most of the time of a step would go into making them anew. */
const ratesNow = new Float64Array(THERMAL_STATES * THERMAL_STATES)
const forcingNow = new Float64Array(THERMAL_STATES)
const moved = new Float64Array(THERMAL_STATES)
const disturbedNow = new Float64Array(THERMAL_STATES)
const halfGrown = new Float64Array(SIZE * SIZE)

/** On by `dtS` with the given mean open share. */
export function propagate(belief: Belief, model: Model, outside: Outside, power: number, dtS: number): Belief {
  const mean = [...belief.mean]
  advanceMean(mean, model, outside, power, dtS)
  const f = stepMatrix(model, effectivePower(model, power, outside.outdoorC, mean[PIPE] ?? 20), outside.outdoorC)
  let spread = belief.spread
  const steps = Math.ceil(dtS / SPREAD_STEP_S)
  for (let i = 0; i < steps; i++) spread = grown(spread, f, dtS / steps)
  return { mean, spread }
}

/** Moves a mean in place; also used for the open-loop twins that look for a boiler that is off. */
export function advanceMean(mean: number[], model: Model, outside: Outside, power: number, dtS: number) {
  const steps = Math.max(1, Math.ceil(dtS / MEAN_STEP_S))
  const h = dtS / steps
  const [hoursLeft, daysLeft] = [Math.exp(-h / HOURS_TAU_S), Math.exp(-h / DAYS_TAU_S)]
  const conditions = { ...outside, disturbanceWm2: 0 }
  const a = ratesNow
  let share = Number.NaN
  for (let s = 0; s < steps; s++) {
    conditions.disturbanceWm2 = (mean[HOURS] ?? 0) + (mean[DAYS] ?? 0)
    const shareNow = effectivePower(model, power, outside.outdoorC, mean[PIPE] ?? 20)
    if (shareNow !== share) {
      share = shareNow
      rates(model, share, outside.outdoorC, a)
    }
    const w = forcing(model, conditions, share, forcingNow)
    for (let i = 0; i < THERMAL_STATES; i++) {
      let rate = w[i] as number
      for (let j = 0; j < THERMAL_STATES; j++) rate += (a[i * THERMAL_STATES + j] as number) * (mean[j] as number)
      moved[i] = (mean[i] as number) + h * rate
    }
    for (let i = 0; i < THERMAL_STATES; i++) mean[i] = moved[i] as number
    mean[HOURS] = (mean[HOURS] ?? 0) * hoursLeft
    mean[DAYS] = (mean[DAYS] ?? 0) * daysLeft
  }
}

/** Continuous rates of all six, for the covariance. */
export function stepMatrix(model: Model, power: number, outdoorC: number): Float64Array {
  const small = rates(model, power, outdoorC, ratesNow)
  const f = new Float64Array(SIZE * SIZE)
  for (let i = 0; i < 4; i++) for (let j = 0; j < 4; j++) f[i * SIZE + j] = small[i * 4 + j] as number
  const unit = { outdoorC: 0, windMs: 3.5, solarGainWm2: 0, peopleWm2: 0 }
  const one = forcing(model, { ...unit, disturbanceWm2: 1 }, 0, disturbedNow)
  const none = forcing(model, { ...unit, disturbanceWm2: 0 }, 0, forcingNow)
  for (let i = 0; i < 4; i++) {
    f[i * SIZE + HOURS] = (one[i] as number) - (none[i] as number)
    f[i * SIZE + DAYS] = f[i * SIZE + HOURS] as number
  }
  f[HOURS * SIZE + HOURS] = -1 / HOURS_TAU_S
  f[DAYS * SIZE + DAYS] = -1 / DAYS_TAU_S
  return f
}

/** Variance that a second adds to each state. */
export function noiseRate(i: number): number {
  if (i === HOURS) return (2 * HOURS_SD_WM2 ** 2) / HOURS_TAU_S
  if (i === DAYS) return (2 * DAYS_SD_WM2 ** 2) / DAYS_TAU_S
  return DRIFT[i] ?? 0
}

function grown(spread: number[], f: Float64Array, h: number): number[] {
  for (let i = 0; i < SIZE; i++)
    for (let j = 0; j < SIZE; j++) {
      let sum = spread[i * SIZE + j] as number
      for (let m = 0; m < SIZE; m++) sum += h * (f[i * SIZE + m] as number) * (spread[m * SIZE + j] as number)
      halfGrown[i * SIZE + j] = sum
    }
  const result = [...spread]
  for (let i = 0; i < SIZE; i++)
    for (let j = i; j < SIZE; j++) {
      let sum = halfGrown[i * SIZE + j] as number
      for (let m = 0; m < SIZE; m++) sum += h * (f[j * SIZE + m] as number) * (halfGrown[i * SIZE + m] as number)
      if (i === j) sum += h * noiseRate(i)
      result[i * SIZE + j] = sum
      result[j * SIZE + i] = sum
    }
  return result
}

export const withReading = (belief: Belief, airC: number) => corrected(belief, SENSED, airC, READING_VARIANCE)
export const withProbe = (belief: Belief, floorC: number) => corrected(belief, SURFACE, floorC, PROBE_VARIANCE)

function corrected(belief: Belief, index: number, measured: number, variance: number): Belief {
  const { mean, spread } = belief
  const total = (spread[index * SIZE + index] as number) + variance
  const surprise = measured - (mean[index] as number)
  const after = { mean: [...mean], spread: [...spread] }
  for (let i = 0; i < SIZE; i++) {
    const shared = spread[i * SIZE + index] as number
    after.mean[i] = (mean[i] as number) + (shared / total) * surprise
    for (let j = 0; j < SIZE; j++)
      after.spread[i * SIZE + j] =
        (spread[i * SIZE + j] as number) - (shared * (spread[j * SIZE + index] as number)) / total
  }
  return after
}
