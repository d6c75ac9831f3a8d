import { doingOf, previewWarmUp, type RoomOutlook, roomOutlook, roomPlan, type WarmUp } from '@hypocaust/control'
import type { Doing } from '@hypocaust/domain'
import { errors } from '../../base/errors.ts'
import { Slices } from '../../processes/slices.ts'
import type { Store } from '../../store/store.ts'
import type { Availability } from '../buildings/buildings.ts'
import { loopsHeld } from '../loop-run/run.ts'
import { powerOf } from '../rooms/steering.ts'
import type { RoomScope } from '../rooms/write.ts'
import { type ControlInputs, type ControlledRoom, readInputs, stepInputsOf } from './inputs.ts'

/** The outlook of the law, with what holds the loops of the room instead of it. */
export type HeldOutlook = RoomOutlook & { doing: Doing }

/** What a room is heated towards and what comes of it, by the law itself. */
export async function outlookOf(
  store: Store,
  availability: Availability,
  { buildingId, roomId }: RoomScope,
  nowMs: number,
): Promise<HeldOutlook> {
  const inputs = await readInputs(store, buildingId, nowMs)
  const room = inputs?.rooms.find(({ id }) => id === roomId)
  if (!inputs || !room) throw errors.noSuchRoom(roomId)
  return outlookIn(inputs, availability, nowMs)(room)
}

/** What the plan of a room expects, with the prices it goes by. */
export async function planOf(
  store: Store,
  availability: Availability,
  { buildingId, roomId }: RoomScope,
  nowMs: number,
) {
  const inputs = await readInputs(store, buildingId, nowMs)
  const room = inputs?.rooms.find(({ id }) => id === roomId)
  if (!inputs || !room) throw errors.noSuchRoom(roomId)
  const plan = roomPlan(room.state, stepInputsOf(inputs, availability, nowMs)(room))
  return { plan, prices: inputs.energy?.prices ?? null }
}

const slices = new Slices()

/** Of every room of a building, by its id. What the rooms share is read once. */
export async function outlooksOf(
  store: Store,
  availability: Availability,
  buildingId: string,
  nowMs: number,
): Promise<Map<string, HeldOutlook>> {
  const inputs = await readInputs(store, buildingId, nowMs)
  if (!inputs) throw errors.noSuchBuilding(buildingId)
  const outlook = outlookIn(inputs, availability, nowMs)
  const outlooks = new Map<string, HeldOutlook>()
  for (const room of inputs.rooms) {
    while (slices.isOver()) await slices.next()
    outlooks.set(room.id, outlook(room))
  }
  return outlooks
}

function outlookIn(inputs: ControlInputs, availability: Availability, nowMs: number) {
  const inputOf = stepInputsOf(inputs, availability, nowMs)
  const valvesOf = Map.groupBy(inputs.valves, ({ roomId }) => roomId)
  return (room: ControlledRoom): HeldOutlook => {
    const outlook = roomOutlook(room.state, inputOf(room))
    const held = loopsHeld(inputs.run, room, valvesOf.get(room.id) ?? [], nowMs)
    // The valve stands as it was last decided, for the moment of that decision.
    const doing = doingOf({ ...outlook.decision, power: powerOf(room), warmsForMs: room.warmingFor }, held)
    // Nobody knows when a search ends, so what comes after it is no promise.
    return held ? { ...outlook, doing, next: null } : { ...outlook, doing }
  }
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
