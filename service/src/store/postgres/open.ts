import { CamelCasePlugin, Kysely } from 'kysely'
import { LastWrite } from '../last-write.ts'
import { SlowCount } from '../load.ts'
import type { Store } from '../store.ts'
import type { Tables } from '../tables.ts'
import { preparingDialect } from './dialect.ts'
import { translated } from './errors.ts'
import { LookUps } from './look-ups.ts'
import { migrateAlone } from './migrate-alone.ts'
import { NativePartitions } from './partitions.ts'
import { DEFAULT_LIMITS, drain, openPool, type PoolLimits } from './pool.ts'
import { PostgresRateWindows } from './rate-windows.ts'
import { readerOf } from './read.ts'
import { postgresStatements } from './statements.ts'
import { allOrNothing, batchEach } from './transactions.ts'
import { refuseUnfinishedCopy } from './unfinished-copy.ts'

/** Connects, brings the tables up to date (one process at a time), and hands out a pool. */
export async function openPostgres(url: string, limits: Partial<PoolLimits> = {}): Promise<Store> {
  await translated(() => migrateAlone(url))
  const pool = openPool(url, { ...DEFAULT_LIMITS, ...limits })
  try {
    await refuseUnfinishedCopy(pool)
  } catch (error) {
    await pool.end()
    throw error
  }
  const slow = new SlowCount()
  const writes = new LastWrite()
  const db = new Kysely<Tables>({ dialect: preparingDialect(pool, slow), plugins: [new CamelCasePlugin()] })
  const read = readerOf(pool, slow)
  const lookUps = new LookUps(pool, read, slow)
  const lookUp: Store['lookUp'] = (query) => lookUps.run(query)
  const reads = { db, statements: postgresStatements(db), read, lookUp }
  return {
    ...reads,
    engine: 'postgres',
    isShared: true,
    rateWindows: new PostgresRateWindows(reads),
    partitions: new NativePartitions(pool),
    get load() {
      const { totalCount, idleCount: idle, waitingCount: waiting } = pool
      return { slow: slow.count, writeProblem: writes.problem, connections: { used: totalCount - idle, idle, waiting } }
    },
    batch: (queries, limits) =>
      writes.watch(() => slow.watch(async () => (await allOrNothing(pool, [{ queries, limits }]))[0] ?? [])),
    batchEach: (batches) => slow.watch(() => batchEach(pool, batches)),
    close() {
      lookUps.close()
      return drain(pool)
    },
  }
}
