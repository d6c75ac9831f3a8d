import { type Compilable, type RawBuilder, sql } from 'kysely'
import type { Store } from '../../store/store.ts'
import { compilable, recordFound } from './record.ts'

/** Until the change is made, the entries are not complete. */
const OPEN = sql.lit('valves?')

/**
 * Writes that move valves between rooms, with an entry for each room of the building that has others afterwards. A
 * channel that a room gets is taken from another, and goes with its gateway: so the rooms are looked at before and after.
 * What a new room begins with is no change of it.
 */
export function recordingValves(
  store: Store,
  nowMs: number,
  { buildingId, newRoomIds = [] }: { buildingId: string; newRoomIds?: string[] },
  writes: Compilable[],
): Compilable[] {
  const { db, statements } = store
  const valves = (roomId: RawBuilder<unknown>) =>
    statements.jsonRows(
      [sql.ref('gateway_id'), sql.ref('channel')],
      sql`valves where room_id = ${roomId}`,
      sql`gateway_id, channel`,
    )
  const before = sql`select building_id, id as room_id, id as subject_id, name as subject, ${OPEN} as field,
    ${valves(sql.ref('rooms.id'))} as old_value, cast(null as text) as new_value from rooms where building_id = ${buildingId}
      ${newRoomIds.length === 0 ? sql`` : sql`and id not in (${sql.join(newRoomIds)})`}`
  const isOpen = sql`building_id = ${buildingId} and field = ${OPEN}`
  const after = sql`update change_log set new_value = ${valves(sql.ref('change_log.room_id'))} where ${isOpen}`
  // A room that is gone has an entry of its own.
  const isGone = sql`not exists (select 1 from rooms where rooms.id = change_log.room_id)`
  const same = sql`delete from change_log where ${isOpen} and (old_value = new_value or ${isGone})`
  const closed = sql`update change_log set field = 'valves' where ${isOpen}`
  return [
    recordFound(store, nowMs, [before]),
    ...writes,
    ...[after, same, closed].map((statement) => compilable(db, statement)),
  ]
}
