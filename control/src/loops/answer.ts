import { type FloorType, HOUR_MS } from '@hypocaust/domain'
import { type Model, modelOf, nothingLearned } from '../model/model.ts'
import { Motion, type Outside, SENSED, SURFACE } from '../model/motion.ts'
import { firstBelief } from '../model/observer.ts'
import { estimatedFacadeSun, type Location } from '../model/sun.ts'

/** A loop was open for this share between the two moments. */
export interface Opening {
  fromMs: number
  toMs: number
  power: number
}

/** How much warmer a room is than it would be otherwise, at the moments asked for. */
export type Answer = number[]

const START_C = 20
const STEP_S = 300
const CALM: Omit<Outside, 'outdoorC'> = { windMs: 3.5, solarGainWm2: 0, peopleWm2: 0 }
/** Sun on one square metre of facade that becomes heat on one of floor, in a room with an ordinary window. */
const SUN_SHARE = 0.04

/** What the sensor of a room with this floor shows of the opening of its loop. */
export function answerTo(floorType: FloorType, openings: Opening[], outdoorC: number, timesMs: number[]): Answer {
  const fromMs = Math.min(...openings.map((opening) => opening.fromMs))
  const heated = { power: (atMs: number) => powerAt(openings, atMs), outside: () => ({ ...CALM, outdoorC }) }
  return differenceAt(modelOf(floorType, nothingLearned()), fromMs, timesMs, heated, outdoorC)
}

export type Facade = 'east' | 'south' | 'west'

/** What the sensor shows of a clear sky on that side. */
export function answerToSun(floorType: FloorType, facade: Facade, location: Location, timesMs: number[]): Answer {
  const [fromMs = 0] = timesMs
  const outside = (atMs: number) => {
    const sun = estimatedFacadeSun(atMs, location, 0)
    return { ...CALM, outdoorC: START_C, solarGainWm2: SUN_SHARE * sun[facade] }
  }
  return differenceAt(modelOf(floorType, nothingLearned()), fromMs, timesMs, { power: () => 0, outside }, START_C)
}

/** Kelvin that the surface of such a floor gains while its loop is open for so long. */
export function surfaceRiseK(floorType: FloorType, hours: number, outdoorC: number): number {
  const motion = new Motion(modelOf(floorType, nothingLearned()))
  const [heated, resting] = [rest(), rest()]
  motion.advance(heated, { ...CALM, outdoorC }, 1, hours * 3600)
  motion.advance(resting, { ...CALM, outdoorC }, 0, hours * 3600)
  return (heated[SURFACE] ?? 0) - (resting[SURFACE] ?? 0)
}

interface Driven {
  power(atMs: number): number
  outside(atMs: number): Outside
}

function differenceAt(model: Model, fromMs: number, timesMs: number[], driven: Driven, outdoorC: number): Answer {
  const [moved, resting] = [rest(), rest()]
  const motion = new Motion(model)
  let atMs = fromMs
  return timesMs.map((untilMs) => {
    while (atMs < untilMs) {
      const dtS = Math.min(STEP_S, (untilMs - atMs) / 1000)
      motion.advance(moved, driven.outside(atMs), driven.power(atMs), dtS)
      motion.advance(resting, { ...CALM, outdoorC }, 0, dtS)
      atMs += dtS * 1000
    }
    return (moved[SENSED] ?? 0) - (resting[SENSED] ?? 0)
  })
}

const rest = (): number[] => [...firstBelief(START_C).mean]

const powerAt = (openings: Opening[], atMs: number): number =>
  openings.reduce((sum, { fromMs, toMs, power }) => sum + (atMs >= fromMs && atMs < toMs ? power : 0), 0)

export const hoursBetween = (fromMs: number, toMs: number): number => (toMs - fromMs) / HOUR_MS
