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
  if (!state.belief) return []
  const model = modelOf(state.floorType, state.learned)
  const mean = [...state.belief.mean]
  return ahead.map(({ endMs, power, outdoorC, windMs, solarWm2, supplyC }) => {
    const isOff = state.source.kind === 'off' || isIdle(state.idle, state.timeZone, endMs - SLOT_S * 500)
    const watered = withWater(model, supplyC, outdoorC)
    const weather = { outdoorC, windMs, solarWm2, cloudPct: 0 }
    const outside = outsideOf(model, weather, endMs - SLOT_S * 500, state)
    new Motion(watered).advance(mean, outside, isOff ? 0 : power, SLOT_S)
    return mean[SENSED] as number
  })
}
