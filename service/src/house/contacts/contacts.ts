import { type ContactReading, HOUR_MS, normaliseSensorId, type ReportedContact, timestampOf } from '@hypocaust/domain'
import { type Compilable, type RawBuilder, sql } from 'kysely'
import type { Clock } from '../../base/clock.ts'
import type { Store } from '../../store/store.ts'
import { type Found, recordFound } from '../change-log/record.ts'
import { raiseRevision } from '../revisions.ts'

/** A contact that has not reported for so long may be lying in a drawer; then an open window is inferred again. */
const SILENT_AFTER_MS = 24 * HOUR_MS
const MOST_CONTACTS = 200

/** What a contact reported, unless a later report stands. Beyond the limit of a building no new one is added. */
export function reportOf(
  { db }: Pick<Store, 'db'>,
  buildingId: string,
  { id: anyCase, contact, batt }: ContactReading,
  measuredAt: number,
): Compilable {
  const id = normaliseSensorId(anyCase)
  const isOpen = contact === 'open' ? 1 : 0
  const statement = sql`insert into contacts (building_id, id, is_open, battery_pct, measured_at)
    select cast(${buildingId} as text), cast(${id} as text), ${sql.lit(isOpen)},
      cast(${batt ?? null} as real), cast(${measuredAt} as bigint)
    where (select count(*) from contacts where building_id = ${buildingId}) < ${sql.lit(MOST_CONTACTS)}
      or exists (select 1 from contacts where building_id = ${buildingId} and id = ${id})
    on conflict (building_id, id) do update set is_open = excluded.is_open, measured_at = excluded.measured_at,
      battery_pct = coalesce(excluded.battery_pct, contacts.battery_pct)
    where excluded.measured_at >= contacts.measured_at`
  return { compile: () => statement.compile(db) }
}

export async function contactsOf({ db }: Store, buildingId: string): Promise<ReportedContact[]> {
  const rows = await db.selectFrom('contacts').selectAll().where('buildingId', '=', buildingId).orderBy('id').execute()
  return rows.map(({ id, isOpen, batteryPct, measuredAt, roomId }) => ({
    id,
    state: isOpen === 1 ? 'open' : 'closed',
    batt: batteryPct,
    timestamp: timestampOf(measuredAt),
    room_id: roomId,
  }))
}

type Assigned = 'done' | 'no_contact' | 'no_room'

/** Gives a contact to a room of the same building, or to none. */
export async function assignContact(
  store: Store,
  clock: Clock,
  { buildingId, id: anyCase, roomId }: ContactRoom,
): Promise<Assigned> {
  const { db } = store
  const id = normaliseSensorId(anyCase)
  if (roomId !== null) {
    const room = await db
      .selectFrom('rooms')
      .select('id')
      .where('id', '=', roomId)
      .where('buildingId', '=', buildingId)
      .executeTakeFirst()
    if (!room) return 'no_room'
  }
  const nowMs = clock.now()
  const results = await store.batch([
    raiseRevision.with(store, { buildingId, nowMs }),
    recordFound(store, nowMs, [assignment(store, { buildingId, id, roomId })]),
    db.updateTable('contacts').set({ roomId }).where('buildingId', '=', buildingId).where('id', '=', id),
  ])
  return results.at(-1)?.affectedRows === 0 ? 'no_contact' : 'done'
}

function assignment({ statements }: Store, { buildingId, id, roomId }: ContactRoom): Found {
  const before = sql.ref('contacts.room_id')
  const after = sql`cast(${roomId} as text)`
  const values = (value: RawBuilder<unknown>) =>
    sql`case when ${value} is not null then ${statements.jsonArray([value])} end`
  return sql`select building_id, cast(null as text) as room_id, id as subject_id, id as subject, 'contact' as field,
      ${values(before)} as old_value, ${values(after)} as new_value
    from contacts where building_id = ${buildingId} and id = ${id} and ${before} is distinct from ${after}`
}

interface ContactRoom {
  buildingId: string
  id: string
  roomId: string | null
}

/** What the contact of a room reported last, and when. */
export type RoomContact = [roomId: string, isOpen: 0 | 1, measuredAt: number]

/** What the contacts of each room say together: one open window is an open room. */
export function windowsOf(contacts: RoomContact[], nowMs: number): Map<string, 'open' | 'closed'> {
  const windows = new Map<string, 'open' | 'closed'>()
  for (const [roomId, isOpen, measuredAt] of contacts) {
    if (measuredAt < nowMs - SILENT_AFTER_MS || windows.get(roomId) === 'open') continue
    windows.set(roomId, isOpen === 1 ? 'open' : 'closed')
  }
  return windows
}
