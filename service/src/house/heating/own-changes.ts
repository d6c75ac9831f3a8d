import { type Compilable, sql } from 'kysely'
import type { Store } from '../../store/store.ts'
import { recordFound } from '../change-log/record.ts'
import { recordBuilding } from '../change-log/record-settings.ts'
import { absenceOf, NOBODY_AWAY, overrideOf } from '../rooms/schedule-inputs.ts'
import { updateRoom } from '../rooms/write.ts'
import type { ControlledBuilding } from './controlled-building.ts'
import type { ControlInputs, ControlledRoom } from './inputs.ts'

const OVERRIDE_ENDED = { kind: 'rule', name: 'override_ended' } as const
const AWAY_ENDED = { kind: 'rule', name: 'away_ended' } as const
const CONTROL = { kind: 'control', name: '' } as const

/**
 * What ends by itself no longer counts, whether it is removed or not. It is removed here so that the change log has its
 * end; an override or absence that was set meanwhile stays. Belongs after a write of the building's row.
 */
export function ownChanges(store: Store, { building, rooms }: ControlInputs, nowMs: number): Compilable[] {
  return [
    ...rooms.flatMap((room) => [...endedOverride(store, room, nowMs), ...relearned(store, room, nowMs)]),
    ...endedAbsence(store, building, nowMs),
  ]
}

function endedOverride(store: Store, room: ControlledRoom, nowMs: number): Compilable[] {
  const { id: roomId, buildingId, override } = room
  const until = overrideOf(room)?.untilMs
  if (until === undefined || until > nowMs) return []
  const options = { seen: { override }, actor: OVERRIDE_ENDED }
  return updateRoom(store, nowMs, { buildingId, roomId }, { override: null }, options)
}

function endedAbsence(store: Store, building: ControlledBuilding, nowMs: number): Compilable[] {
  const absence = absenceOf(building)
  if (!absence || absence.untilMs > nowMs) return []
  const { id, awayFrom, awayUntil, awayC, awayRooms } = building
  const seen = { awayFrom, awayUntil, awayC, awayRooms }
  return [
    ...recordBuilding(store, nowMs, id, NOBODY_AWAY, { seen, actor: AWAY_ENDED }),
    store.db
      .updateTable('buildings')
      .set(NOBODY_AWAY)
      .where('id', '=', id)
      .where('awayUntil', '=', awayUntil)
      .where('awaySetAt', 'is not distinct from', building.awaySetAt),
  ]
}

/** With another floor type, nothing that was learned of the room holds any more. */
function relearned(store: Store, room: ControlledRoom, nowMs: number): Compilable[] {
  const before = room.state?.floorType
  if (before === undefined || before === room.floorType) return []
  const values = (floorType: string) => store.statements.jsonArray([sql`cast(${floorType} as text)`])
  const found = sql`select building_id, id as room_id, id as subject_id, name as subject, 'learning' as field,
      ${values(before)} as old_value, ${values(room.floorType)} as new_value
    from rooms where id = ${room.id}`
  return [recordFound(store, nowMs, [found], CONTROL)]
}
