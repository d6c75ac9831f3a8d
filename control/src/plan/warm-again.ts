import { holdingPower, type Model, modelOf, withWater } from '../model/model.ts'
import { DAYS, HOURS, Motion, type Outside, SURFACE, WALL } from '../model/motion.ts'
import { airC } from '../model/thermal.ts'
import { weatherAhead } from '../room/forecast.ts'
import { holdsFloor } from '../room/held.ts'
import { UNKNOWN_WEATHER } from '../room/outside.ts'
import { sanitised } from '../room/sanitise.ts'
import type { RoomControl } from '../room/state.ts'
import type { StepInput, Weather } from '../room/types.ts'

const HOUR_S = 3600
const HOUR_MS = 3_600_000
/** Of the weather ahead the coldest and the mildest hour count: water that follows the weather may be cooler in that. */
const AHEAD_H = 24
/** So long a room is held before it counts as settled, or cools at most. */
const SETTLED_H = 96
/** A room so close to its setpoint is warm. */
const WARM_WITHIN_K = 0.3
const TRIES = 7

/**
 * How far below its setpoint a room may be and still be warm again within this time with the loop open: after hours
 * without any heat, and when it has been kept there for days. In whichever hour of the day ahead it takes longest, without
 * sun. Null while nothing is known of the room, and where its floor is held.
 */
export function warmAgainK(state: RoomControl, raw: StepInput, withinS: number): number | null {
  if (!state.belief || holdsFloor(raw.settings)) return null
  const { settings, supply, forecast, nowMs } = sanitised(raw)
  const known = state.weather ?? UNKNOWN_WEATHER
  const hours = Array.from({ length: AHEAD_H }, (_, k) =>
    weatherAhead(forecast, state.forecast, known, nowMs + k * HOUR_MS),
  )
  const byCold = [known, ...hours].toSorted((a, b) => a.outdoorC - b.outdoorC)
  const model = withWater(modelOf(state.floorType, state.learned), supply?.setC, known.outdoorC)
  const missingWm2 = Math.min(0, state.belief.mean[DAYS] as number)
  const about = { model, motion: new Motion(model), missingWm2, targetC: settings.targetC, withinS }
  const ofHours = [byCold[0] as Weather, byCold.at(-1) as Weather].map(({ outdoorC, windMs }) => {
    const room: ColdRoom = { ...about, outside: { outdoorC, windMs, solarGainWm2: 0, peopleWm2: 0 } }
    return Math.min(afterCooling(room), whenKept(room))
  })
  const leastK = Math.min(...ofHours)
  return Number.isFinite(leastK) ? Math.max(0, Math.floor(10 * leastK) / 10) : 0
}

type ColdRoom = {
  model: Model
  motion: Motion
  outside: Outside
  /** What the room has lacked for days, by what the model expects. */
  missingWm2: number
  targetC: number
  withinS: number
}

/** The last hour of cooling from which it is warm again in time. */
function afterCooling(room: ColdRoom): number {
  const mean = settledAt(room, room.targetC)
  let belowK = 0
  for (let hour = 0; hour < SETTLED_H; hour++) {
    advance(room, mean, 0, HOUR_S)
    if (!isWarmAgain(room, mean)) return belowK
    belowK = room.targetC - airNow(room, mean, 0)
  }
  return belowK
}

/** The lowest temperature at which it can be kept, with a floor that is just warm enough for that. */
function whenKept(room: ColdRoom): number {
  let low = 0
  let high = room.targetC - room.outside.outdoorC
  for (let i = 0; i < TRIES + 1; i++) {
    const belowK = i === 0 ? high : (low + high) / 2
    const isSoon = isWarmAgain(room, settledAt(room, room.targetC - belowK))
    if (isSoon && i === 0) return high
    if (isSoon) low = belowK
    else high = belowK
  }
  return low
}

function isWarmAgain(room: ColdRoom, from: readonly number[]): boolean {
  const mean = [...from]
  advance(room, mean, 1, room.withinS)
  return airNow(room, mean, 1) >= room.targetC - WARM_WITHIN_K
}

/** As it is after days at a temperature. */
function settledAt(room: ColdRoom, heldC: number): number[] {
  const { model, outside, missingWm2 } = room
  const mean = [heldC, heldC, heldC, heldC, 0, missingWm2]
  advance(room, mean, holdingPower(model, heldC, outside.outdoorC), SETTLED_H * HOUR_S)
  return mean
}

/** What the room lacks does not fade with the hours here. */
function advance({ motion, outside, missingWm2 }: ColdRoom, mean: number[], power: number, seconds: number) {
  mean[HOURS] = 0
  mean[DAYS] = missingWm2
  motion.advance(mean, outside, power, seconds)
}

const airNow = ({ model, outside, missingWm2 }: ColdRoom, mean: readonly number[], power: number): number =>
  airC(model, { ...outside, disturbanceWm2: missingWm2 }, mean[SURFACE] as number, mean[WALL] as number, power)
