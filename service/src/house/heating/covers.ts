import type { StepResult } from '@hypocaust/control'
import { type Blinds, localTime, momentOf, USUAL_COVER_POSITION } from '@hypocaust/domain'
import type { Compilable } from 'kysely'
import { statement } from '../../store/statement.ts'
import type { Store } from '../../store/store.ts'
import { type KeptOrder, keptOrdersOf } from '../covers/orders.ts'
import type { ControlledBuilding } from './controlled-building.ts'
import type { ControlledRoom } from './inputs.ts'

interface Stepped {
  room: Pick<ControlledRoom, 'id' | 'blinds'>
  step: StepResult
}

/** Which covers are to be down now, where that has changed. Rooms that were not stepped go on as before. */
export function coverWrites(
  store: Store,
  { building, rooms }: { building: ControlledBuilding; rooms: readonly { id: string }[] },
  stepped: readonly Stepped[],
  nowMs: number,
): Compilable[] {
  const others = rooms.filter(({ id }) => !stepped.some(({ room }) => room.id === id))
  const before = keptOrdersOf(building)
  const after = [
    ...before.filter(({ roomId, openMs }) => openMs > nowMs && others.some(({ id }) => id === roomId)),
    ...stepped.flatMap((each) => ordersOf(each, building.timezone, nowMs)),
  ].sort((a, b) => (`${a.roomId} ${a.name}` < `${b.roomId} ${b.name}` ? -1 : 1))
  const coverOrders = after.length === 0 ? null : JSON.stringify(after)
  return coverOrders === building.coverOrders ? [] : [setOrders.with(store, { buildingId: building.id, coverOrders })]
}

function ordersOf({ room, step }: Stepped, timeZone: string, nowMs: number): KeptOrder[] {
  const { shading } = step.decision
  if (room.blinds === null || !shading || nowMs < shading.closeMs || nowMs >= shading.openMs) return []
  const { covers = [], position = USUAL_COVER_POSITION } = JSON.parse(room.blinds) as Blinds
  const dayEndsMs = momentOf(timeZone, localTime(timeZone, nowMs).day + 1, 0)
  return covers.map((name) => ({ roomId: room.id, name, position, openMs: shading.openMs, dayEndsMs }))
}

const setOrders = statement((db, { buildingId, coverOrders }: { buildingId: string; coverOrders: string | null }) =>
  db.updateTable('buildings').set({ coverOrders }).where('id', '=', buildingId),
)
