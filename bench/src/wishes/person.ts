import { DAY_MS, HOUR_MS } from '@hypocaust/domain'
import { seededRandom } from '@hypocaust/simulator'

/** What a person would like a room to be, which nobody else knows. */
export type Person = {
  number: number
  /** Against the target that is set, at all times. */
  alwaysK: number
  /** Further in the evening. */
  eveningK: number
  /** Further than this from the wish, a person feels it. */
  toleranceK: number
  /** Of the half hours in which it is felt, those in which the person presses. */
  patience: number
}

export const TARGET_C = 21
const EVENING_H = 18.5

export function drawPerson(number: number): Person {
  const { uniform, gaussian } = seededRandom(52_000 + number)
  return {
    number,
    alwaysK: Math.max(-1.5, Math.min(1.5, 0.8 * gaussian())),
    eveningK: uniform() < 0.5 ? 0.5 + uniform() : 0,
    toleranceK: 0.4 + 0.4 * uniform(),
    patience: 0.2 + 0.6 * uniform(),
  }
}

/** Null while nobody is in the room or awake; days differ a little. */
export function wishAt({ number, alwaysK, eveningK }: Person, atMs: number): number | null {
  const day = Math.floor(atMs / DAY_MS)
  const hour = (atMs % DAY_MS) / HOUR_MS
  // The first of January 1970 was a Thursday.
  const isWeekend = (day + 3) % 7 >= 5
  const isIn = isWeekend ? hour >= 8 && hour < 22.5 : (hour >= 6.5 && hour < 8) || (hour >= 17 && hour < 22.5)
  if (!isIn) return null
  const ofDayK = 0.2 * seededRandom(number * 7919 + day).gaussian()
  return TARGET_C + alwaysK + (hour >= EVENING_H ? eveningK : 0) + ofDayK
}
