/** The moments of a chart as equal steps of time, so that a slider lies under the moment it shows. */
export const stepOf = (times: readonly number[], index: number): number =>
  Math.round(((times[index] ?? 0) - (times[0] ?? 0)) / widthOf(times))

/** The moment at a step, or the next one that way where moments lie further apart than a step. */
export function indexAt(times: readonly number[], step: number, before: number): number {
  const nearest = times.reduce(
    (best, _, index) => (Math.abs(stepOf(times, index) - step) < Math.abs(stepOf(times, best) - step) ? index : best),
    0,
  )
  const isStill = nearest === before && step !== stepOf(times, before)
  return isStill ? Math.max(0, Math.min(times.length - 1, before + Math.sign(step - stepOf(times, before)))) : nearest
}

/** The measured moments come first, and are the closest. */
const widthOf = ([first = 0, second = first + 1]: readonly number[]): number => second - first
