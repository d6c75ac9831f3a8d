import { FLOOR_TYPES, type FloorType } from '@hypocaust/domain'
import { holdingPower, modelOf, nothingLearned, withWater } from '../model/model.ts'
import { within } from '../room/sanitise.ts'
import type { RoomControl } from '../room/state.ts'

const UNKNOWN_OUTDOOR_C = 0
const UNKNOWN_AIM_C = 20

/**
 * What the room needs at such an outdoor temperature: for a gateway without commands, and a room without a sensor. With
 * the water that is asked for where it is given, else with that of the learned curve.
 */
export function fallbackPower(
  state: RoomControl | null,
  floorType: FloorType,
  outdoorC: number | null,
  waterC?: number | null,
): number {
  const known = FLOOR_TYPES.includes(floorType) ? floorType : 'screed'
  const outside = within(outdoorC ?? UNKNOWN_OUTDOOR_C, -60, 60, UNKNOWN_OUTDOOR_C)
  const learned = modelOf(known, state?.floorType === known ? state.learned : nothingLearned())
  const model = withWater(learned, waterC, outside)
  return within(holdingPower(model, state?.lastAimC ?? UNKNOWN_AIM_C, outside), 0, 0.8, 0)
}
