import type { Compilable } from 'kysely'
import type pg from 'pg'
import type { Batch } from '../batch.ts'
import { refuseBeyond, type WriteResult } from '../store.ts'
import { isDeadlock, isServerGone, storeErrorOf, translated } from './errors.ts'
import { prepared } from './pool.ts'

/** Held until the transaction ends. */
export const LOCK_BY_IDS = 'select count(pg_advisory_xact_lock(hashtextextended(id, 0))) from unnest($1::text[]) as id'

const MOST_TRIES = 5

export async function batchEach(pool: pg.Pool, batches: Batch[]): Promise<PromiseSettledResult<WriteResult[]>[]> {
  try {
    return await transact(pool, async (client) => {
      const results: PromiseSettledResult<WriteResult[]>[] = []
      for (const batch of batches) results.push(await attempt(client, batch))
      return results
    })
  } catch (reason) {
    return batches.map(() => ({ status: 'rejected', reason }))
  }
}

/** One batch within the shared transaction: if it fails, the others still stand. */
async function attempt(client: pg.PoolClient, batch: Batch): Promise<PromiseSettledResult<WriteResult[]>> {
  await client.query('savepoint job')
  try {
    const value = await runWithin(client, batch)
    await client.query('release savepoint job')
    return { status: 'fulfilled', value }
  } catch (error) {
    if (isDeadlock(error)) throw error
    await client.query('rollback to savepoint job')
    return { status: 'rejected', reason: storeErrorOf(error) }
  }
}

/** The locks are those of `lockBuildings` too: what a gateway adds to a building counts like what its owner adds. */
export async function runWithin(client: pg.PoolClient, { queries, limits = [] }: Batch): Promise<WriteResult[]> {
  const owners = new Set(limits.map(({ ownerId }) => ownerId))
  if (owners.size > 0) await client.query(LOCK_BY_IDS, [[...owners].sort()])
  const results = await runAll(client, queries)
  for (const limit of limits) {
    const { sql, parameters } = limit.count.compile()
    refuseBeyond(limit, (await client.query(prepared(client, sql, parameters))).rows)
  }
  return results
}

async function runAll(client: pg.PoolClient, queries: Compilable[]): Promise<WriteResult[]> {
  const results: WriteResult[] = []
  for (const query of queries) {
    const { sql, parameters } = query.compile()
    const { rowCount } = await client.query(prepared(client, sql, parameters))
    results.push({ affectedRows: rowCount ?? 0 })
  }
  return results
}

/** Of two transactions that wait for each other PostgreSQL ends one, which may simply be tried again. */
export function transact<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  return translated(async () => {
    for (let triesLeft = MOST_TRIES; ; ) {
      try {
        return await transactOnce(pool, work)
      } catch (error) {
        if (!isDeadlock(error) || --triesLeft === 0) throw error
      }
    }
  })
}

async function transactOnce<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    await client.query('begin')
    const result = await work(client)
    await client.query('commit')
    return result
  } catch (error) {
    if (isServerGone(error)) broken = error
    else
      await client.query('rollback').catch((failure: Error) => {
        broken = failure
      })
    throw error
  } finally {
    client.release(broken)
  }
}
