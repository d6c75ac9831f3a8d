import { carried } from './linear.ts'
import { type Model, NEIGHBOUR_C } from './model.ts'
import { DAYS, DAYS_TAU_S, HOURS, HOURS_TAU_S, Motion, type Outside, SENSED, SIZE, SURFACE, stepsOf } from './motion.ts'

/**
 * A Kalman filter over pipe layer, surface, walls, sensor, and two disturbances in W/m²: one of hours (people, stove,
 * a cloud) and one of days (whatever the model has wrong).
 */
export type Belief = {
  mean: number[]
  /** Covariance, row-major. */
  spread: number[]
}

const HOURS_SD_WM2 = 3
const DAYS_SD_WM2 = 5
/** Variance that a second adds: unmodelled drift of floor, walls and sensor in K², and the disturbances. */
export const NOISE = Float64Array.of(
  2e-6,
  2e-6,
  4e-7,
  1e-7,
  (2 * HOURS_SD_WM2 ** 2) / HOURS_TAU_S,
  (2 * DAYS_SD_WM2 ** 2) / DAYS_TAU_S,
)
const READING_VARIANCE = 0.02
const PROBE_VARIANCE = 0.05

/** No room and no floor leaves this range: a belief that does is none. */
const LEAST_C = -30
const MOST_C = 60
/** No disturbance is larger than a room full of stoves. */
const MOST_WM2 = 2000

/** Knowing only one temperature: everything near it, nothing certain. */
export function firstBelief(airC: number): Belief {
  const spread = new Array<number>(SIZE * SIZE).fill(0)
  const variances = [4, 1, 0.5, 0.1, HOURS_SD_WM2 ** 2, DAYS_SD_WM2 ** 2]
  for (const [i, variance] of variances.entries()) spread[i * SIZE + i] = variance
  return { mean: [airC + 2.5, airC + 2, 0.9 * airC + 0.1 * NEIGHBOUR_C, airC, 0, 0], spread }
}

/** On by `dtS` with the given mean open share. */
export function propagate(belief: Belief, model: Model, outside: Outside, power: number, dtS: number): Belief {
  const motion = new Motion(model)
  const mean = [...belief.mean]
  let { spread } = belief
  for (const stepS of stepsOf(dtS)) {
    const share = motion.shareOf(mean, outside, power)
    const stretch = motion.noisyStretch(share, stepS, NOISE)
    motion.move(mean, stretch, outside, share)
    const kept = carried(stretch.transition, spread, SIZE)
    spread = Array.from(kept, (value, at) => value + (stretch.grown[at] as number))
  }
  return { mean, spread }
}

/** A belief that a room can be held by: temperatures that rooms have, and a covariance that is one. */
export function isSound({ mean, spread }: Belief): boolean {
  if (!isMeanSound(mean) || spread.length !== SIZE * SIZE) return false
  for (let i = 0; i < SIZE; i++) {
    const variance = spread[i * SIZE + i] as number
    if (!(variance > 0 && variance < MOST_VARIANCE)) return false
    for (let j = 0; j < i; j++)
      if (!((spread[i * SIZE + j] as number) ** 2 <= STORED * variance * (spread[j * SIZE + j] as number))) return false
  }
  return true
}

export function isMeanSound(mean: ArrayLike<number>): boolean {
  if (mean.length !== SIZE) return false
  for (let i = 0; i < SIZE; i++) {
    const value = mean[i] as number
    const isDisturbance = i === HOURS || i === DAYS
    const [least, most] = isDisturbance ? [-MOST_WM2, MOST_WM2] : [LEAST_C, MOST_C]
    if (!(value >= least && value <= most)) return false
  }
  return true
}

const MOST_VARIANCE = 1e4
/** States are stored with seven digits. */
const STORED = 1 + 1e-5

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
