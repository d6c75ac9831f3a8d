import { type Compilable, sql } from 'kysely'
import { byNow, compilable, insertFound } from '../../house/change-log/record.ts'
import type { Store } from '../../store/store.ts'

/** A key is logged in every building it reaches, by its name: for the members, it is one more way in. */
export function recordKey(store: Store, nowMs: number, id: string, what: 'created' | 'revoked'): Compilable[] {
  const { db, statements } = store
  const values = statements.jsonArray([sql.ref('api_keys.name'), sql.ref('api_keys.permission')])
  const none = sql`cast(null as text)`
  const reached = sql`api_keys
    inner join members on members.account_id = api_keys.account_id
      and (members.ends_at is null or members.ends_at > ${nowMs})
    where api_keys.id = ${id} and api_keys.revoked_at is null
      and (api_keys.buildings is null or api_keys.buildings like '%' || members.building_id || '%'
        or exists (select 1 from oauth_buildings
          where key_id = api_keys.id and oauth_buildings.building_id = members.building_id))`
  const found = sql`select members.building_id as building_id, ${none} as room_id, api_keys.id as subject_id,
      api_keys.name as subject, 'key' as field,
      ${what === 'created' ? none : values} as old_value, ${what === 'created' ? values : none} as new_value
    from ${reached}`
  // Changes nothing: the rows are held, so that each building's entries come one after the other.
  const held = sql`update buildings set revised_at = revised_at where id in (select members.building_id from ${reached})`
  return [compilable(db, held), compilable(db, insertFound(byNow(nowMs), [found]))]
}
