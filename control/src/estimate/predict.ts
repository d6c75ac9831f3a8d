import { localTime } from '@hypocaust/domain'
import { MINUTE_MS } from '@hypocaust/domain/facts'
import { changeK, correctedK, featuresOf, JUDGED_SLOTS, type Regression } from '../model/direct.ts'
import { isIdle } from '../model/idle-hours.ts'
import { modelOf, withWater } from '../model/model.ts'
import { Motion, SENSED } from '../model/motion.ts'
import { outsideOf } from '../room/outside.ts'
import { type RoomControl, SLOT_S } from '../room/state.ts'
import type { Slot } from '../room/types.ts'

/**
 * What the sensor will show at the end of each half hour that follows, if heat and weather are as the slots say. Empty
 * while nothing has been measured.
 */
export function predictAirC(state: RoomControl, ahead: Slot[]): number[] {
  const airC = byModel(state, ahead)
  const corrected = correctionsK(state, ahead, airC)
  return airC.map((each, i) => each + (corrected[i] as number))
}

/** As `predictAirC`, how far from what the model alone expects. */
export const correctionsAheadK = (state: RoomControl, ahead: Slot[]): number[] =>
  correctionsK(state, ahead, byModel(state, ahead))

function byModel(state: RoomControl, ahead: Slot[]): number[] {
  if (!state.belief) return []
  const model = modelOf(state.floorType, state.learned)
  const motion = new Motion(model)
  const mean = [...state.belief.mean]
  return ahead.map((slot) => {
    const { endMs, outdoorC, windMs, solarWm2, supplyC } = slot
    const watered = withWater(model, supplyC, outdoorC)
    const weather = { outdoorC, windMs, solarWm2, cloudPct: 0 }
    const outside = outsideOf(model, weather, endMs - SLOT_S * 500, state)
    const moving = watered === model ? motion : new Motion(watered)
    moving.advance(mean, outside, heatOf(state, slot), SLOT_S)
    return mean[SENSED] as number
  })
}

function heatOf({ source, idle, timeZone }: RoomControl, { endMs, power }: Slot): number {
  return source.kind === 'off' || isIdle(idle, timeZone, endMs - SLOT_S * 500) ? 0 : power
}

/** The part of the second opinion at its horizons, and evenly more or less between them. */
function correctionsK(state: RoomControl, ahead: Slot[], modelC: number[]): number[] {
  const points = [{ slots: 0, correctionK: 0 }, ...pointsOf(state, ahead, modelC)]
  return modelC.map((_, i) => {
    const at = points.findIndex(({ slots }) => slots >= i + 1)
    const [from, to] = [points[at - 1], points[at]]
    if (!from || !to) return points.at(-1)?.correctionK ?? 0
    return from.correctionK + ((to.correctionK - from.correctionK) * (i + 1 - from.slots)) / (to.slots - from.slots)
  })
}

function pointsOf(state: RoomControl, ahead: Slot[], modelC: number[]) {
  const { direct, belief, airing, timeZone } = state
  if (!direct?.missed || !belief) return []
  const known = { airC: airing.quickC ?? (belief.mean[SENSED] as number), mean: belief.mean }
  const coming = ahead.map((slot) => ({ ...slot, power: heatOf(state, slot) }))
  return JUDGED_SLOTS.filter((slots) => slots <= ahead.length).map((slots, horizon) => {
    const localEndMs = localTime(timeZone, (ahead[slots - 1] as Slot).endMs).minuteOfDay * MINUTE_MS
    const features = featuresOf(known, coming.slice(0, slots), localEndMs)
    const directC = known.airC + changeK(direct.regressions[horizon] as Regression, features)
    return { slots, correctionK: correctedK(direct, horizon, directC - (modelC[slots - 1] as number)) }
  })
}
