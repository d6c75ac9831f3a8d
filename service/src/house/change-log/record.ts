import { type Compilable, type RawBuilder, sql } from 'kysely'
import type { Store } from '../../store/store.ts'
import { type Actor, actorNow } from './actor.ts'

/** What becomes an entry, as a select of the columns below; it may find nothing, or several rows. */
export type Found = RawBuilder<unknown>

const FOUND = sql.raw('building_id, room_id, subject_id, subject, field, old_value, new_value')

export interface By {
  nowMs: number
  actorKind: string
  actorName: string
  actorRole: string | null
  actorAccountId: string | null
}

export const byNow = (nowMs: number, actor: Actor = actorNow()): By => ({
  nowMs,
  actorKind: actor.kind,
  actorName: actor.name,
  actorRole: actor.role ?? null,
  actorAccountId: actor.accountId ?? null,
})

/**
 * Entries for what is found, in this order. Belongs into the transaction of the change, after the building's row was
 * written: so two changes of one building have their entries one after the other.
 */
export const insertFound = (
  { nowMs, actorKind, actorName, actorRole, actorAccountId }: By,
  found: Found[],
): RawBuilder<unknown> =>
  sql`insert into change_log (${FOUND}, sequence, changed_at, actor_kind, actor_name, actor_role, actor_account_id)
    select ${FOUND},
      (select coalesce(max(sequence), 0) from change_log where building_id = found.building_id)
        + row_number() over (partition by building_id order by n),
      cast(${nowMs} as bigint), cast(${actorKind} as text), cast(${actorName} as text), cast(${actorRole} as text),
      cast(${actorAccountId} as text)
    from (${sql.join(
      found.map((each, n) => sql`select ${sql.lit(n)} as n, each.* from (${each}) as each`),
      sql` union all `,
    )}) as found`

export const recordFound = ({ db }: Store, nowMs: number, found: Found[], actor?: Actor): Compilable =>
  compilable(db, insertFound(byNow(nowMs, actor), found))

export interface Entry {
  buildingId: string
  roomId?: string
  subjectId: string
  /** Name of what was changed. */
  subject: string
  field: string
  before?: Value[]
  after?: Value[]
}

export type Value = string | number | null

/** An entry that is known without a look at the database. */
export function record(store: Store, nowMs: number, entry: Entry, actor?: Actor): Compilable {
  const { buildingId, roomId = null, subjectId, subject, field, before, after } = entry
  const json = (values?: Value[]) => (values ? JSON.stringify(values) : null)
  const values = [buildingId, roomId, subjectId, subject, field, json(before), json(after)]
  const names = ['building_id', 'room_id', 'subject_id', 'subject', 'field', 'old_value', 'new_value']
  const found = sql`select ${sql.join(names.map((name, i) => sql`cast(${values[i]} as text) as ${sql.ref(name)}`))}`
  return recordFound(store, nowMs, [found], actor)
}

export const compilable = (db: Store['db'], statement: RawBuilder<unknown>): Compilable => ({
  compile: <T>() => statement.compile(db) as ReturnType<Compilable<T>['compile']>,
})
