import type { Compilable } from 'kysely'
import type pg from 'pg'
import type { WriteResult } from '../store.ts'
import { isServerGone, storeErrorOf, translated } from './errors.ts'
import { prepared } from './pool.ts'

export async function batchEach(
  pool: pg.Pool,
  batches: Compilable[][],
): Promise<PromiseSettledResult<WriteResult[]>[]> {
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

export async function runAll(client: pg.PoolClient, queries: Compilable[]): Promise<WriteResult[]> {
  const results: WriteResult[] = []
  for (const query of queries) {
    const { sql, parameters } = query.compile()
    const { rowCount } = await client.query(prepared(client, sql, parameters))
    results.push({ affectedRows: rowCount ?? 0 })
  }
  return results
}

export function transact<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  return translated(async () => {
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
  })
}
