import { type Kysely, sql } from 'kysely'
import { MIGRATION_NAMES } from './names.ts'
import type { Engine } from './types.ts'

/** As a rule there is nothing to do: then the migrations themselves are not even loaded. */
export async function migrate(db: Kysely<unknown>, engine: Engine): Promise<void> {
  if (await isUpToDate(db)) return
  const { carryOutAll } = await import('./all.ts')
  await carryOutAll(db, engine)
}

/** Whether exactly these have been carried out. A new database has no table of them yet. */
async function isUpToDate(db: Kysely<unknown>): Promise<boolean> {
  try {
    const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
    const done = new Set(rows.map(({ name }) => name))
    return done.size === MIGRATION_NAMES.length && MIGRATION_NAMES.every((name) => done.has(name))
  } catch {
    return false
  }
}
