import type { Score } from './score.ts'

/** Heat and J of a controller whose targets are shifted until its room is as warm on average as another's. */
export type EqualMean = { energyKwhM2: number; j: number }

const NEAR_K = 0.02
const STILL_NEAR_K = 0.05
const ROUNDS = 6
const LARGEST_SHIFT_K = 3

/** Finds the shift by secants. Null where none makes the mean offset from the setpoint the wanted one. */
export function atEqualMean(
  runShifted: (shiftK: number) => Score,
  unshifted: Score,
  wantedOffsetK: number,
): EqualMean | null {
  let last = { shiftK: 0, score: unshifted }
  let nearest = last
  let slope = 1
  const missK = ({ score }: typeof last) => score.offsetK - wantedOffsetK
  for (let round = 0; round < ROUNDS && Math.abs(missK(nearest)) > NEAR_K; round++) {
    const shiftK = limited(last.shiftK - missK(last) / slope)
    const next = { shiftK, score: runShifted(shiftK) }
    if (next.shiftK !== last.shiftK) slope = steep((missK(next) - missK(last)) / (next.shiftK - last.shiftK))
    last = next
    if (Math.abs(missK(next)) < Math.abs(missK(nearest))) nearest = next
  }
  const { energyKwhM2, j } = nearest.score
  return Math.abs(missK(nearest)) <= STILL_NEAR_K ? { energyKwhM2, j } : null
}

const limited = (shiftK: number) => Math.max(-LARGEST_SHIFT_K, Math.min(LARGEST_SHIFT_K, shiftK))

/** A warmer target makes a warmer room, if only a little where the sun decides. */
const steep = (slope: number) => Math.max(0.3, Math.min(2, slope))
