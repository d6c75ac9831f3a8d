import { type AppRoomPatch, holdFrom } from '@hypocaust/domain'
import type { Updateable } from 'kysely'
import { errors } from '../../base/errors.ts'
import { statement } from '../../store/statement.ts'
import type { Store } from '../../store/store.ts'
import type { RoomTable } from '../../store/tables/rooms.ts'
import { HOUSE_COLUMNS, SCHEDULE_COLUMNS, scheduleInputsOf } from './schedule-inputs.ts'
import type { RoomScope } from './write.ts'

const scheduleRowOf = statement((db, { buildingId, roomId }: RoomScope) =>
  db
    .selectFrom('rooms')
    .innerJoin('buildings', 'buildings.id', 'rooms.buildingId')
    .select(['rooms.id', ...SCHEDULE_COLUMNS, ...HOUSE_COLUMNS])
    .where('rooms.id', '=', roomId)
    .where('rooms.buildingId', '=', buildingId),
)

/**
 * A target is a wish for now: where programme, absence or override have the room elsewhere, it holds from now on. Sent
 * with a new plan it is the base of that plan.
 */
export async function holdChanges(
  store: Store,
  scope: RoomScope,
  { target_temperature: targetC, programme, night_mode: night }: AppRoomPatch,
  nowMs: number,
): Promise<Updateable<RoomTable>> {
  if (targetC === undefined) return {}
  if (programme || night) return { targetHold: null }
  const row = await scheduleRowOf.first(store, scope)
  if (!row) throw errors.noSuchRoom(scope.roomId)
  const hold = holdFrom({ ...scheduleInputsOf(row, row), targetC }, nowMs)
  return { targetHold: hold && JSON.stringify(hold) }
}
