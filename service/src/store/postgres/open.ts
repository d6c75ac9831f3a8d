import { setTimeout } from 'node:timers/promises'
import { CamelCasePlugin, type Compilable, Kysely, PostgresDialect, type PostgresPool } from 'kysely'
import pg from 'pg'
import { migrate } from '../migrations/migrate.ts'
import type { Store, WriteResult } from '../store.ts'
import type { Tables } from '../tables.ts'
import { storeErrorOf, translated } from './errors.ts'

const CONNECTIONS = 10
const CONNECT_TIMEOUT_MS = 5000
const LOCK_TIMEOUT_MS = 5000
const STATEMENT_TIMEOUT_MS = 15_000
const DRAIN_LOOK_MS = 10
const BIGINT_OID = 20
const NUMERIC_OID = 1700

/** Connects, brings the tables up to date (one process at a time), and hands out a pool. */
export async function openPostgres(url: string): Promise<Store> {
  const pool = new pg.Pool({
    connectionString: url,
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
    application_name: 'hypocaust',
    types: { getTypeParser },
  })
  // A connection that breaks while idle is replaced at the next use.
  pool.on('error', () => {})
  const plain = new Kysely<unknown>({ dialect: translatingDialect(pool) })
  try {
    await translated(() => migrate(plain, 'postgres'))
  } catch (error) {
    await pool.end()
    throw error
  }
  return {
    engine: 'postgres',
    db: new Kysely<Tables>({ dialect: translatingDialect(pool), plugins: [new CamelCasePlugin()] }),
    batch: (queries) => transact(pool, (client) => runAll(client, queries)),
    batchEach: (batches) => batchEach(pool, batches),
    close: () => drain(pool),
  }
}

/** Those under way, and those waiting for a connection, are let through first. */
async function drain(pool: pg.Pool): Promise<void> {
  while (pool.waitingCount > 0 || pool.idleCount < pool.totalCount) await setTimeout(DRAIN_LOOK_MS)
  await pool.end()
}

/** Times and counts fit a double exactly, and the other engine has no other numbers. */
function getTypeParser(oid: number, format?: string) {
  if (oid === BIGINT_OID || oid === NUMERIC_OID) return Number
  return pg.types.getTypeParser(oid, format as 'text')
}

async function batchEach(pool: pg.Pool, batches: Compilable[][]): Promise<PromiseSettledResult<WriteResult[]>[]> {
  try {
    return await transact(pool, async (client) => {
      const results: PromiseSettledResult<WriteResult[]>[] = []
      for (const queries of batches) results.push(await attempt(client, queries))
      return results
    })
  } catch (reason) {
    return batches.map(() => ({ status: 'rejected', reason }))
  }
}

/** One batch within the shared transaction: if it fails, the others still stand. */
async function attempt(client: pg.PoolClient, queries: Compilable[]): Promise<PromiseSettledResult<WriteResult[]>> {
  await client.query('savepoint job')
  try {
    const value = await runAll(client, queries)
    await client.query('release savepoint job')
    return { status: 'fulfilled', value }
  } catch (error) {
    await client.query('rollback to savepoint job')
    return { status: 'rejected', reason: storeErrorOf(error) }
  }
}

async function runAll(client: pg.PoolClient, queries: Compilable[]): Promise<WriteResult[]> {
  const results: WriteResult[] = []
  for (const query of queries) {
    const { sql, parameters } = query.compile()
    const { rowCount } = await client.query(sql, [...parameters])
    results.push({ affectedRows: rowCount ?? 0 })
  }
  return results
}

function transact<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  return translated(async () => {
    const client = await pool.connect()
    let broken: Error | undefined
    try {
      await client.query('begin')
      const result = await work(client)
      await client.query('commit')
      return result
    } catch (error) {
      await client.query('rollback').catch((failure: Error) => {
        broken = failure
      })
      throw error
    } finally {
      client.release(broken)
    }
  })
}

/** Kysely's own dialect, on a pool whose failures speak the store's words. */
const translatingDialect = (pool: pg.Pool): PostgresDialect =>
  new PostgresDialect({
    pool: {
      Client: pg.Client,
      options: pool.options,
      connect: () => translated(async () => translating(await pool.connect())),
      end: () => pool.end(),
    } as PostgresPool,
  })

function translating(client: pg.PoolClient): pg.PoolClient {
  return new Proxy(client, {
    get(target, name) {
      if (name === 'query') return (...args: [string, unknown[]]) => translated(() => target.query(...args))
      const value = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
