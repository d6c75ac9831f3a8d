import type { LimitedRoom } from '@hypocaust/control'
import type { Availability } from '../buildings/buildings.ts'
import { USUAL_AREA_M2 } from '../heating/grid-shares.ts'
import { type ControlInputs, stepInputsOf } from '../heating/inputs.ts'

/** The rooms of a building as the law is given them now. */
export function roomsNow(inputs: ControlInputs, availability: Availability, nowMs: number): LimitedRoom[] {
  const inputOf = stepInputsOf(inputs, availability, nowMs)
  return inputs.rooms.map((room) => ({
    id: room.id,
    areaM2: room.areaM2 ?? USUAL_AREA_M2,
    state: room.state,
    input: inputOf(room),
  }))
}
