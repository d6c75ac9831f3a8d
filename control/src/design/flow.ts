import { modelOf, nothingLearned, WATER_MC_WK, waterWkOf } from '../model/model.ts'
import type { ScaledRoom } from './scaled-room.ts'

/** A loop as pipe and floor of the book pass the heat on, and what it gives now for each kelvin, in W/K and m². */
export type Loop = { pipeWk: number; givesWk: number }

/** Of water, in W/K for each square metre of floor. */
const LEAST_WK = 0.5
const MOST_WK = 60
const SEARCHES = 50

export function loopOf({ floorType, loopWk }: ScaledRoom): Loop {
  const book = waterWkOf(modelOf(floorType, nothingLearned()))
  const pipeWk = -WATER_MC_WK * Math.log(1 - book / WATER_MC_WK)
  return { pipeWk, givesWk: Math.min(loopWk ?? book, givenWk(pipeWk, MOST_WK)) }
}

/** What a loop gives for each kelvin with this much water: all that the water has, or all that the pipe passes on. */
const givenWk = (pipeWk: number, waterWk: number): number => waterWk * (1 - Math.exp(-pipeWk / waterWk))

/** The water with which a loop gives so much for each kelvin; null where no water is enough. */
export function waterFor(pipeWk: number, wantedWk: number): number | null {
  if (wantedWk > givenWk(pipeWk, MOST_WK)) return null
  let [low, high] = [LEAST_WK, MOST_WK]
  for (let i = 0; i < SEARCHES; i++) {
    const middle = (low + high) / 2
    if (givenWk(pipeWk, middle) < wantedWk) low = middle
    else high = middle
  }
  return high
}

/** The water that a loop gets now. */
export const waterOf = ({ pipeWk, givesWk }: Loop): number => waterFor(pipeWk, givesWk) ?? MOST_WK

/** How many times as much water a loop needs to give so many times as much; null where no water is enough. */
export function flowFor(loop: Loop, times: number): number | null {
  const water = waterFor(loop.pipeWk, times * loop.givesWk)
  return water === null ? null : water / waterOf(loop)
}

/** How many times as much a loop gives with so many times the water. */
export const gainOf = (loop: Loop, flow: number): number =>
  givenWk(loop.pipeWk, flow * waterOf(loop)) / givenWk(loop.pipeWk, waterOf(loop))
