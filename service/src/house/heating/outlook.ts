import { previewWarmUp, type RoomOutlook, roomOutlook, type WarmUp } from '@hypocaust/control'
import { errors } from '../../base/errors.ts'
import type { Store } from '../../store/store.ts'
import type { Availability } from '../buildings/buildings.ts'
import type { RoomScope } from '../rooms/write.ts'
import { readInputs, stepInputsOf } from './inputs.ts'

/** What a room is heated towards and what comes of it, by the law itself. */
export async function outlookOf(
  store: Store,
  availability: Availability,
  scope: RoomScope,
  nowMs: number,
): Promise<RoomOutlook> {
  const { state, input } = await lawInputs(store, availability, scope, nowMs)
  return roomOutlook(state, input)
}

/** From when a floor would be heated to be warm by a moment. */
export async function warmUpOf(
  store: Store,
  availability: Availability,
  scope: RoomScope,
  nowMs: number,
  step: Parameters<typeof previewWarmUp>[2],
): Promise<WarmUp | null> {
  const { state, input } = await lawInputs(store, availability, scope, nowMs)
  return previewWarmUp(state, input, step)
}

/** What the law would be given for a room now. */
export async function lawInputs(
  store: Store,
  availability: Availability,
  { buildingId, roomId }: RoomScope,
  nowMs: number,
) {
  const inputs = await readInputs(store, buildingId, nowMs)
  const room = inputs?.rooms.find(({ id }) => id === roomId)
  if (!inputs || !room) throw errors.noSuchRoom(roomId)
  const input = stepInputsOf(inputs, availability, nowMs)(room)
  return { state: room.state, input, room, building: inputs.building }
}
