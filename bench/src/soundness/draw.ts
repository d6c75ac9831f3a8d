import { LEARNED, LEARNED_SPREAD, type Learned, withinReason } from '@hypocaust/control'
import { FLOOR_TYPES, type FloorType } from '@hypocaust/domain'
import type { seededRandom } from '@hypocaust/simulator'

type Random = ReturnType<typeof seededRandom>

/** A room as the fit may have learned it, in some state, and a stretch of time in which only temperatures act on it. */
export type Draw = {
  floorType: FloorType
  learned: Learned
  /** Pipe layer, surface, walls, sensor. */
  statesC: number[]
  outdoorC: number
  /** Of the water; an electric mat has none. */
  waterC: number
  power: number
  dtS: number
}

/** So much bias that nothing is given by people and appliances. */
const NO_PEOPLE = -2
const STEPS_S = [1, 60, 300, 1800, 7200, 86_400]

/** Anywhere in the box that the fit may choose from, its faces and corners as likely as its inside. */
export function drawn(random: Random): Draw {
  const between = (least: number, most: number) => least + (most - least) * random.uniform()
  const oneOf = <T>(all: readonly T[]): T =>
    all[Math.min(all.length - 1, Math.floor(random.uniform() * all.length))] as T
  const learned = withinReason(
    LEARNED.map((name, i) => {
      if (name === 'biasWm2') return NO_PEOPLE
      if (name === 'airShare') return random.uniform() < 0.3 ? 0 : between(0, 1.2)
      return 4 * (LEARNED_SPREAD[i] ?? 0) * (random.uniform() < 0.5 ? oneOf([-1, 1]) : between(-1, 1))
    }),
  )
  return {
    floorType: oneOf(FLOOR_TYPES),
    learned,
    statesC: [between(5, 50), between(5, 40), between(5, 30), between(5, 30)],
    outdoorC: between(-25, 25),
    waterC: between(10, 55),
    power: oneOf([0, 1, random.uniform()]),
    dtS: oneOf(STEPS_S),
  }
}
