import type pg from 'pg'
import type { Batch } from '../batch.ts'
import { isStoreError, refuseBeyond, type WriteResult } from '../store.ts'
import { isDeadlock, isServerGone, storeErrorOf, translated } from './errors.ts'
import { prepared } from './pool.ts'

/** Held until the transaction ends. */
export const LOCK_BY_IDS = 'select count(pg_advisory_xact_lock(hashtextextended(id, 0))) from unnest($1::text[]) as id'

const MOST_TRIES = 5

export async function batchEach(pool: pg.Pool, batches: Batch[]): Promise<PromiseSettledResult<WriteResult[]>[]> {
  try {
    const values = await transact(pool, (client) => inOrder(batches.map((batch) => runWithin(client, batch))))
    return values.map((value) => ({ status: 'fulfilled', value }))
  } catch (reason) {
    if (isStoreError(reason, 'unavailable')) return batches.map(() => ({ status: 'rejected', reason }))
    return eachByItself(pool, batches)
  }
}

/** As a rule no batch fails, and they need no savepoints; when one has failed, nothing has been written. */
async function eachByItself(pool: pg.Pool, batches: Batch[]): Promise<PromiseSettledResult<WriteResult[]>[]> {
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

/**
 * The locks are those of `lockBuildings` too: what a gateway adds to a building counts like what its owner adds. All
 * statements are sent at once.
 */
export async function runWithin(client: pg.PoolClient, { queries, limits = [] }: Batch): Promise<WriteResult[]> {
  const owners = new Set(limits.map(({ ownerId }) => ownerId))
  const locks = owners.size > 0 ? [{ text: LOCK_BY_IDS, values: [[...owners].sort()] }] : []
  const counts = limits.map(({ count }) => count)
  const statements = [...queries, ...counts].map((query) => {
    const { sql, parameters } = query.compile()
    return prepared(client, sql, parameters)
  })
  const answers = await inOrder([...locks, ...statements].map((query) => client.query(query)))
  const written = answers.slice(locks.length, locks.length + queries.length)
  const counted = answers.slice(locks.length + queries.length)
  for (const [i, limit] of limits.entries()) refuseBeyond(limit, counted[i]?.rows ?? [])
  return written.map(({ rowCount }) => ({ affectedRows: rowCount ?? 0 }))
}

/** The answers to what was sent at once, or the first failure: what follows it in a transaction fails because of it. */
async function inOrder<Answer>(sent: Promise<Answer>[]): Promise<Answer[]> {
  const settled = await Promise.allSettled(sent)
  return settled.map((answer) => {
    if (answer.status === 'rejected') throw answer.reason
    return answer.value
  })
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

/** What the work sends before it first waits leaves in one packet, together with the beginning. */
async function begun<T>(client: pg.PoolClient, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const { stream } = client.connection
  stream.cork()
  const sent = [client.query('begin'), work(client)]
  stream.uncork()
  return (await inOrder<unknown>(sent))[1] as T
}

async function transactOnce<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    const result = await begun(client, work)
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
