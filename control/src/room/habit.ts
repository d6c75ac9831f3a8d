/** A reading this old is predicted from, whatever the sensor's habit. */
const SILENT_S = 1800
/** No habit excuses more than this. */
const LONGEST_S = 12 * 3600
const MARGIN = 1.5
const FORGOTTEN_AFTER_S = 5 * 86_400
/** After a longer step something has happened that a sensor which reports changes would have reported. */
const STEP_K = 0.6

/** The two longest silences of late after which the sensor reported at most one step of change; the longer one first. */
export type Habit = [longestS: number, secondS: number]

/** Some sensors report only when the temperature has changed by a step. One long silence is no habit yet, two are. */
export function habitAfter([longestS, secondS]: Habit, gapS: number, changeK: number): Habit {
  const kept = Math.exp(-Math.max(0, gapS) / FORGOTTEN_AFTER_S)
  const gaps = [kept * longestS, kept * secondS, ...(Math.abs(changeK) <= STEP_K ? [Math.min(LONGEST_S, gapS)] : [])]
  const [first = 0, second = 0] = gaps.toSorted((a, b) => b - a)
  return [first, second]
}

/** For how long the sensor is usually silent at times although it works. */
export const usualSilenceS = ([, secondS]: Habit): number => secondS

/** From when on silence means that the sensor is lost. */
export const lostAfterS = (habit: Habit): number =>
  Math.min(LONGEST_S, Math.max(SILENT_S, MARGIN * usualSilenceS(habit)))
