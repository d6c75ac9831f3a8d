import { Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'
import { atOnce, migrate } from '../migrations/migrate.ts'
import { MigrationSteps } from './migration-steps.ts'
import { openPool } from './pool.ts'
import { refuseTransactionPooling } from './sessions.ts'

/** Every release that has been kept has those before: they may take several tables at once. */
const FIRST_UNDER_TRAFFIC = '0014'

/**
 * One process at a time and without a limit of time: a large table may take long, and others wait for it. Processes of
 * the version before go on reading and writing meanwhile.
 */
export async function migrateAlone(url: string): Promise<void> {
  const pool = openPool(url, { connections: 2, statementTimeoutMs: 0, lockTimeoutMs: 0 })
  try {
    await refuseTransactionPooling(pool)
  } catch (error) {
    await pool.end()
    throw error
  }
  const lock = await pool.connect()
  try {
    await lock.query("select pg_advisory_lock(hashtextextended('hypocaust migration', 0))")
    await migrateUnderTraffic(pool)
  } finally {
    // The connection ends, and the lock with it.
    lock.release(true)
    await pool.end()
  }
}

async function migrateUnderTraffic(pool: pg.Pool): Promise<void> {
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  const asAWhole = atOnce(db)
  await migrate(db, 'postgres', (name, up) =>
    name < FIRST_UNDER_TRAFFIC ? asAWhole(name, up) : MigrationSteps.runMigration(pool, name, up),
  )
}
