import { PostgresDialect, type PostgresPool } from 'kysely'
import pg from 'pg'
import type { SlowCount } from '../load.ts'
import { translated } from './errors.ts'
import { PreparedQueries } from './query.ts'

/** Kysely's own dialect, on a pool that prepares statements and whose failures speak the store's words. */
export const preparingDialect = (pool: pg.Pool, slow: SlowCount): PostgresDialect =>
  new PostgresDialect({
    pool: {
      Client: pg.Client,
      options: pool.options,
      connect: () => translated(async () => preparing(await pool.connect(), slow)),
      end: () => pool.end(),
    } as PostgresPool,
  })

function preparing(client: pg.PoolClient, slow: SlowCount): pg.PoolClient {
  const queries = new PreparedQueries(client)
  return new Proxy(client, {
    get(target, name) {
      if (name === 'query')
        return (sql: string, parameters: unknown[]) =>
          slow.watch(() => translated(() => queries.query(sql, parameters)))
      if (name === 'release') return () => queries.release()
      const value = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
