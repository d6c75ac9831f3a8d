import { CamelCasePlugin, Kysely } from 'kysely'
import type pg from 'pg'
import { inSpan } from '../../base/tracing/span.ts'
import { SlowCount } from '../load.ts'
import type { Store } from '../store.ts'
import type { Tables } from '../tables.ts'
import { preparingDialect } from './dialect.ts'
import { translated } from './errors.ts'
import { migrateAlone } from './migrate-alone.ts'
import { NativePartitions } from './partitions.ts'
import { DEFAULT_LIMITS, drain, openPool, type PoolLimits } from './pool.ts'
import { PostgresRateWindows } from './rate-windows.ts'
import { readerOf } from './read.ts'
import { probing, ServerWatch } from './server-watch.ts'
import { standbysOf } from './standbys.ts'
import { postgresStatements } from './statements.ts'
import { allOrNothing, batchEach } from './transactions.ts'
import { refuseUnfinishedCopy } from './unfinished-copy.ts'
import { HANGING, WriteGate } from './write-gate.ts'

/** Connects, brings the tables up to date (one process at a time), and hands out a pool. */
export async function openPostgres(url: string, limits: Partial<PoolLimits> = {}): Promise<Store> {
  await translated(() => migrateAlone(url))
  const pool = openPool(url, { ...DEFAULT_LIMITS, ...limits })
  const watch = new ServerWatch(pool, probing(url))
  try {
    await refuseUnfinishedCopy(pool)
  } catch (error) {
    watch.stop()
    await pool.end()
    throw error
  }
  const slow = new SlowCount()
  const gate = new WriteGate(watch, mostWrites(pool))
  const db = new Kysely<Tables>({ dialect: preparingDialect(pool, gate, slow), plugins: [new CamelCasePlugin()] })
  const read = readerOf(pool, slow)
  const reads = { db, statements: postgresStatements(db), read }
  return {
    ...reads,
    engine: 'postgres',
    isShared: true,
    rateWindows: new PostgresRateWindows(reads),
    partitions: new NativePartitions(pool, gate),
    get load() {
      const { totalCount, idleCount: idle } = pool
      const waiting = pool.waitingCount + gate.waiting
      const writeProblem = watch.areCommitsHanging ? HANGING : undefined
      return {
        slow: slow.count,
        writeProblem,
        connections: { used: totalCount - idle, idle, waiting, most: pool.options.max },
      }
    },
    batch: (queries, limits) =>
      inSpan('commit', () =>
        slow.watch(() => gate.run(async () => (await allOrNothing(pool, [{ queries, limits }]))[0] ?? [])),
      ),
    batchEach: (batches) =>
      slow
        .watch(() => gate.run(() => batchEach(pool, batches)))
        .catch((reason) => {
          return batches.map(() => ({ status: 'rejected' as const, reason }))
        }),
    standbys: () => standbysOf(db),
    async close() {
      watch.stop()
      await drain(pool, watch)
    },
  }
}

/** Reads always find one of the rest. */
const mostWrites = ({ options: { max } }: pg.Pool): number => Math.max(1, max - Math.max(1, Math.ceil(max / 4)))
