import { type Compilable, sql } from 'kysely'
import type { Store } from '../../store/store.ts'

/**
 * The first batch of a transaction on these buildings: two processes with messages of the same house write one after
 * the other. They would else wait for each other's rows, each in its own order, until the database gave one up.
 */
export function buildingLocks({ db, engine }: Store, buildingIds: Set<string>): Compilable[][] {
  if (engine === 'sqlite' || buildingIds.size === 0) return []
  const ids = [...buildingIds].sort()
  const lock = sql`select count(pg_advisory_xact_lock(hashtextextended(id, 0))) from unnest(${ids}::text[]) as id`
  return [[{ compile: () => lock.compile(db) }]]
}
