import { PostgresDialect, type PostgresPool } from 'kysely'
import pg from 'pg'
import { inSpan } from '../../base/tracing/span.ts'
import type { SlowCount } from '../load.ts'
import { translated } from './errors.ts'
import { PreparedQueries } from './query.ts'
import type { WriteGate } from './write-gate.ts'

const WRITES = /\b(insert into|update|delete from)\b/i

/**
 * Kysely's own dialect on a pool that prepares statements, with failures in the store's words. A statement takes its
 * connection when it runs, since only then it is known whether it writes; several that belong together are a batch.
 */
export const preparingDialect = (pool: pg.Pool, gate: WriteGate, slow: SlowCount): PostgresDialect => {
  const run = async (sql: string, parameters: unknown[]) => {
    const queries = new PreparedQueries(await pool.connect())
    try {
      return await queries.query(sql, parameters)
    } finally {
      queries.release()
    }
  }
  const write = (sql: string, parameters: unknown[]) => inSpan('commit', () => gate.run(() => run(sql, parameters)))
  const query = (sql: string, parameters: unknown[]) =>
    slow.watch(() => translated(() => (WRITES.test(sql) ? write(sql, parameters) : run(sql, parameters))))
  return new PostgresDialect({
    pool: {
      Client: pg.Client,
      options: pool.options,
      connect: async () => ({ query, release() {} }),
      end: () => pool.end(),
    } as unknown as PostgresPool,
  })
}
