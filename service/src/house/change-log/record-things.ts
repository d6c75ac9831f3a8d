import { type Compilable, type RawBuilder, sql } from 'kysely'
import type { Store } from '../../store/store.ts'
import type { Actor } from './actor.ts'
import { record, recordFound } from './record.ts'

/** Whether an id is one of those that are meant. */
type IsMeant = (id: RawBuilder<unknown>) => RawBuilder<unknown>

/** After the insertion. */
export const recordAddedBuilding = (
  store: Store,
  nowMs: number,
  { buildingId, name }: { buildingId: string; name: string },
): Compilable =>
  record(store, nowMs, { buildingId, subjectId: buildingId, subject: name, field: 'building', after: [name] })

export const recordAddedRoom = (
  store: Store,
  nowMs: number,
  { buildingId, roomId, name }: { buildingId: string; roomId: string; name: string },
): Compilable =>
  record(store, nowMs, { buildingId, roomId, subjectId: roomId, subject: name, field: 'room', after: [name] })

/** Before the removal. */
export const recordRemovedRooms = (store: Store, nowMs: number, buildingId: string, isMeant: IsMeant): Compilable =>
  recordRemoved(store, nowMs, { buildingId, isMeant, table: 'rooms', field: 'room' })

export const recordAddedGateway = (
  store: Store,
  nowMs: number,
  { buildingId, id, name }: { buildingId: string; id: string; name: string },
): Compilable => record(store, nowMs, { buildingId, subjectId: id, subject: name, field: 'gateway', after: [name] })

export const recordRemovedGateways = (store: Store, nowMs: number, buildingId: string, isMeant: IsMeant): Compilable =>
  recordRemoved(store, nowMs, { buildingId, isMeant, table: 'gateways', field: 'gateway' })

/** That something was done to a gateway. */
export function recordOfGateway(
  store: Store,
  nowMs: number,
  id: string,
  field: 'gateway_paired' | 'gateway_token',
  actor?: Actor,
): Compilable {
  const none = sql`cast(null as text)`
  const found = sql`select building_id, ${none} as room_id, id as subject_id, name as subject,
      cast(${field} as text) as field, ${none} as old_value, ${none} as new_value
    from gateways where id = ${id}`
  return recordFound(store, nowMs, [found], actor)
}

interface Removed {
  buildingId: string
  isMeant: IsMeant
  table: 'rooms' | 'gateways'
  field: 'room' | 'gateway'
}

function recordRemoved(store: Store, nowMs: number, { buildingId, isMeant, table, field }: Removed): Compilable {
  const id = sql.ref(`${table}.id`)
  const roomId = table === 'rooms' ? id : sql`cast(null as text)`
  const found = sql`select building_id, ${roomId} as room_id, ${id} as subject_id, name as subject,
      cast(${field} as text) as field, ${store.statements.jsonArray([sql.ref('name')])} as old_value,
      cast(null as text) as new_value
    from ${sql.table(table)} where building_id = ${buildingId} and ${isMeant(id)}`
  return recordFound(store, nowMs, [found])
}
