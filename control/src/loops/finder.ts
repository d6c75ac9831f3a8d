import { FLOOR_RESPONSE, type FloorType, HOUR_MS, MINUTE_MS } from '@hypocaust/domain'
import type { Location } from '../model/sun.ts'
import { type Answer, answerTo, answerToSun, type Facade, hoursBetween, type Opening, surfaceRiseK } from './answer.ts'
import { Evidence, type Part } from './evidence.ts'

/** A room that a loop may warm. */
export interface Candidate {
  roomId: string
  floorType: FloorType
  maxFloorC: number
  /** Readings since the search began, oldest first. */
  readings: { atMs: number; airC: number }[]
  /** What loops that were found to be its own have given it since then. */
  earlier: Opening[]
}

export interface Search {
  candidates: Candidate[]
  /** All loops were closed from here on, but for the openings. */
  sinceMs: number
  /** Of the loop in question. */
  opening: Opening
  nowMs: number
  outdoorC: number
  location: Location
}

/** Null stands for: it warms none of them. */
export interface Finding {
  roomId: string | null
  certainty: number
}

/** Beyond this, nothing is gained by waiting. */
export const CERTAIN = 0.99
/** Even a room that shows nothing more has had its time after so many times its floor's answer. */
const PATIENCE = 1.2
const SAMPLE_MS = 10 * MINUTE_MS
const LOOKED_BACK_MS = 14 * HOUR_MS
const NOISE = { sampleK: 0.05, walkKPerRootHour: 0.07 }
/** What the room does by itself: it cools towards the outdoors, and the floor gives off what was in it before. */
const DRIFT = { levelK: 10, trendKPerHour: 0.1, storedK: 1 }
const STORED_H: Record<FloorType, number> = { screed: 2.9, dry: 1.4, timber: 4.9, slab: 5, electric: 2 }
/** Of the answer that the floor type leads to expect, if the loop is the room's, and if it is a neighbour's. */
const OWN = { mean: 0.9, sd: 0.3 }
const NEIGHBOURS = { mean: 0.03, sd: 0.06 }
const SUN = { mean: 0, sd: 1 }
const FACADES: Facade[] = ['east', 'south', 'west']
/** Before anything was seen: a loop without a room is rare, and so is a room with a second loop. */
const PRIOR = { none: 0.5, again: 0.3 }

/**
 * Which room a loop warms, by how much better its opening explains the readings of the room than drift, sun and what
 * is left of earlier openings do.
 */
export function findRoom(search: Search): Finding {
  const weights = search.candidates.map((candidate) => ({
    roomId: candidate.roomId as string | null,
    weight: Math.log(candidate.earlier.length > 0 ? PRIOR.again : 1) + gain(candidate, search),
  }))
  const all = [...weights, { roomId: null, weight: Math.log(PRIOR.none) }]
  const highest = Math.max(...all.map(({ weight }) => weight))
  const total = all.reduce((sum, { weight }) => sum + Math.exp(weight - highest), 0)
  const best = all.reduce((a, b) => (b.weight > a.weight ? b : a))
  return { roomId: best.roomId, certainty: Math.min(CERTAIN, Math.exp(best.weight - highest) / total) }
}

/** Whether the finding is as good as it will get: certain, or the slowest floor has had the time to answer. */
export const isAnswered = ({ certainty }: Finding, { candidates, opening, nowMs }: Search): boolean =>
  certainty >= CERTAIN || nowMs - opening.fromMs >= longestOpeningMs(candidates)

export const longestOpeningMs = (candidates: Pick<Candidate, 'floorType'>[]): number =>
  PATIENCE * HOUR_MS * Math.max(0, ...candidates.map(({ floorType }) => FLOOR_RESPONSE[floorType].answersH))

/** The share for which a loop may be open so that no floor exceeds its limit, whichever room it warms. */
export function safeShare(rooms: Pick<Candidate, 'floorType' | 'maxFloorC'>[], airC: number, outdoorC: number): number {
  const shares = rooms.map(({ floorType, maxFloorC }) => {
    const headroomK = maxFloorC - SURE_OF_FLOOR_K - (airC + FLOOR_ABOVE_AIR_K)
    return headroomK / surfaceRiseK(floorType, FLOOR_RESPONSE[floorType].answersH, outdoorC)
  })
  return Math.max(LEAST_SHARE, Math.min(1, ...shares))
}

/** A floor that has been heated before is about so much warmer than the air. */
const FLOOR_ABOVE_AIR_K = 2
const SURE_OF_FLOOR_K = 1
/** Less shows nothing within a day. */
const LEAST_SHARE = 0.3

/** How much more probable the readings are if the loop is the room's own, as a logarithm. */
function gain(candidate: Candidate, search: Search): number {
  const samples = sampled(candidate.readings, Math.max(search.sinceMs, search.nowMs - LOOKED_BACK_MS), search.nowMs)
  if (samples.length < 2) return 0
  const timesMs = samples.map(({ atMs }) => atMs)
  const timesH = timesMs.map((atMs) => hoursBetween(search.sinceMs, atMs))
  const temperatures = samples.map(({ airC }) => airC)
  const { floorType, earlier } = candidate
  const shape = answerTo(floorType, [search.opening], search.outdoorC, timesMs)
  const known = earlier.map((opening) => ({ shape: answerTo(floorType, [opening], search.outdoorC, timesMs), ...OWN }))
  const others = [
    ...driftOf(floorType, temperatures, timesH, search.outdoorC),
    ...sunOf(candidate, search, timesMs),
    ...known,
  ]
  return new Evidence(temperatures, timesH, others, NOISE).gain(shape, OWN, NEIGHBOURS)
}

function driftOf(floorType: FloorType, temperatures: number[], timesH: number[], outdoorC: number): Part[] {
  const mean = temperatures.reduce((sum, airC) => sum + airC, 0) / temperatures.length
  const coolingKPerHour = (outdoorC - mean) / FLOOR_RESPONSE[floorType].roomH
  return [
    { shape: timesH.map(() => 1), mean, sd: DRIFT.levelK },
    { shape: timesH, mean: coolingKPerHour, sd: DRIFT.trendKPerHour },
    { shape: timesH.map((timeH) => Math.exp(-timeH / STORED_H[floorType])), mean: 0, sd: DRIFT.storedK },
  ]
}

const sunOf = ({ floorType }: Candidate, { location }: Search, timesMs: number[]): Part[] =>
  FACADES.map((facade) => ({ shape: answerToSun(floorType, facade, location, timesMs), ...SUN })).filter((part) =>
    isSeen(part.shape),
  )

const isSeen = (shape: Answer): boolean => shape.some((value) => Math.abs(value) > 0.01)

/** Means of ten minutes: a sensor of 0.1 K steps says more in the mean than in one reading. */
function sampled(readings: Candidate['readings'], fromMs: number, toMs: number): Candidate['readings'] {
  const within = readings.filter(({ atMs }) => atMs >= fromMs && atMs <= toMs)
  const groups = Map.groupBy(within, ({ atMs }) => Math.floor(atMs / SAMPLE_MS))
  return [...groups].map(([slot, group]) => ({
    atMs: (slot + 0.5) * SAMPLE_MS,
    airC: group.reduce((sum, { airC }) => sum + airC, 0) / group.length,
  }))
}
