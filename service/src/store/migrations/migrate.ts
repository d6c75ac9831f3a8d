import type { Kysely } from 'kysely'
import type { Store } from '../store.ts'
import type { RunMigration } from './all.ts'
import { MIGRATION_NAMES, namesDone, noteDone } from './names.ts'
import type { Engine } from './types.ts'

/** As a rule there is nothing to do: then the migrations themselves are not even loaded. */
export async function migrate(db: Kysely<unknown>, engine: Engine, runMigration = atOnce(db)): Promise<void> {
  if ((await migrationStateOf(db)) === 'up-to-date') return
  const { runMigrations } = await import('./all.ts')
  await runMigrations(db, engine, runMigration)
}

/** A migration is there as a whole or not at all. */
export const atOnce =
  (db: Kysely<unknown>): RunMigration =>
  (name, up) =>
    db.transaction().execute(async (transaction) => {
      // Another process may have been quicker.
      if ((await namesDone(transaction)).has(name)) return
      await up(transaction)
      await noteDone(transaction, name)
    })

/** One of a newer version has further ones, and is not for this version to change. */
export async function migrationStateOf(db: Kysely<unknown>): Promise<'new' | 'older' | 'newer' | 'up-to-date'> {
  const done = await namesDoneIn(db)
  if (done.size === 0) return 'new'
  if (MIGRATION_NAMES.some((name) => !done.has(name))) return 'older'
  return done.size > MIGRATION_NAMES.length ? 'newer' : 'up-to-date'
}

/** Of this version's migrations those that are done and those that are missing, and those of a newer version. */
export async function migrationCounts({
  db,
}: Pick<Store, 'db'>): Promise<Record<'done' | 'missing' | 'newer', number>> {
  const all = await namesDone(db as unknown as Kysely<unknown>)
  const done = MIGRATION_NAMES.filter((name) => all.has(name)).length
  return { done, missing: MIGRATION_NAMES.length - done, newer: all.size - done }
}

/** A new database has no table of them yet. */
async function namesDoneIn(db: Kysely<unknown>): Promise<ReadonlySet<string>> {
  try {
    return await namesDone(db)
  } catch {
    return new Set()
  }
}
