import type { Score } from './score.ts'

/** Heat and J of a controller whose targets are shifted until its room is as warm on average as another's. */
export type EqualMean = { energyKwhM2: number; j: number }

const NEAR_K = 0.003
const ROUNDS = 10
const LARGEST_SHIFT_K = 3

type Run = { shiftK: number; score: Score }

/**
 * Looks for the shift by secants. A thermostat with a dead band answers in jumps, so in the end the line between the
 * nearest runs on both sides counts. Null where no shift makes the mean offset from the setpoint the wanted one.
 */
export function atEqualMean(
  runShifted: (shiftK: number) => Score,
  unshifted: Score,
  wantedOffsetK: number,
): EqualMean | null {
  const runs: Run[] = [{ shiftK: 0, score: unshifted }]
  const missK = ({ score }: Run) => score.offsetK - wantedOffsetK
  let slope = 1
  for (let last = runs[0]; last && runs.length <= ROUNDS && Math.abs(missK(last)) > NEAR_K; last = runs.at(-1)) {
    const shiftK = limited(last.shiftK - missK(last) / slope)
    const next = { shiftK, score: runShifted(shiftK) }
    if (shiftK === last.shiftK) break
    slope = steep((missK(next) - missK(last)) / (shiftK - last.shiftK))
    runs.push(next)
  }
  const byMiss = runs.toSorted((a, b) => Math.abs(missK(a)) - Math.abs(missK(b)))
  const nearest = byMiss[0]
  if (nearest && Math.abs(missK(nearest)) <= NEAR_K) return between(nearest.score, nearest.score, wantedOffsetK)
  const colder = byMiss.find((run) => missK(run) <= 0)
  const warmer = byMiss.find((run) => missK(run) >= 0)
  return colder && warmer ? between(colder.score, warmer.score, wantedOffsetK) : null
}

function between(colder: Score, warmer: Score, wantedOffsetK: number): EqualMean {
  const apartK = warmer.offsetK - colder.offsetK
  const share = apartK > 0 ? (wantedOffsetK - colder.offsetK) / apartK : 0
  const mix = (value: (score: Score) => number) => value(colder) + share * (value(warmer) - value(colder))
  return { energyKwhM2: mix((score) => score.energyKwhM2), j: mix((score) => score.j) }
}

const limited = (shiftK: number) => Math.max(-LARGEST_SHIFT_K, Math.min(LARGEST_SHIFT_K, shiftK))

/** A warmer target makes a warmer room, if only a little where the sun decides. */
const steep = (slope: number) => Math.max(0.3, Math.min(2, slope))
