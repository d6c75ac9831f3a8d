import type { Kysely } from 'kysely'
import type { CarryOut } from './all.ts'
import { MIGRATION_NAMES, namesDone, noteDone } from './names.ts'
import type { Engine } from './types.ts'

/** As a rule there is nothing to do: then the migrations themselves are not even loaded. */
export async function migrate(db: Kysely<unknown>, engine: Engine, carryOut = atOnce(db)): Promise<void> {
  if (await isUpToDate(db)) return
  const { carryOutAll } = await import('./all.ts')
  await carryOutAll(db, engine, carryOut)
}

/** A migration is there as a whole or not at all. */
export const atOnce =
  (db: Kysely<unknown>): CarryOut =>
  (name, up) =>
    db.transaction().execute(async (transaction) => {
      // Another process may have been quicker.
      if ((await namesDone(transaction)).has(name)) return
      await up(transaction)
      await noteDone(transaction, name)
    })

/** Whether exactly these have been carried out. A new database has no table of them yet. */
async function isUpToDate(db: Kysely<unknown>): Promise<boolean> {
  try {
    const done = await namesDone(db)
    return done.size === MIGRATION_NAMES.length && MIGRATION_NAMES.every((name) => done.has(name))
  } catch {
    return false
  }
}
