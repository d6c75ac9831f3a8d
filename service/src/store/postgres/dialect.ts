import { PostgresDialect, type PostgresPool } from 'kysely'
import pg from 'pg'
import type { SlowCount } from '../load.ts'
import { isPlanOutdated, isServerGone, translated } from './errors.ts'
import { prepared } from './pool.ts'

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
  let broken: Error | undefined
  const query = async (sql: string, parameters: unknown[]) => {
    try {
      return await client.query(prepared(client, sql, parameters))
    } catch (error) {
      if (isServerGone(error)) broken = error
      if (!isPlanOutdated(error)) throw error
      broken = error
      return client.query(sql, parameters)
    }
  }
  return new Proxy(client, {
    get(target, name) {
      if (name === 'query')
        return (sql: string, parameters: unknown[]) => slow.watch(() => translated(() => query(sql, parameters)))
      if (name === 'release') return () => target.release(broken)
      const value = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
