import type pg from 'pg'
import type { Batch } from '../batch.ts'
import { isStoreError, refuseBeyond, type WriteResult } from '../store.ts'
import { isDeadlock, isPlanOutdated, isServerGone, storeErrorOf, translated } from './errors.ts'
import { prepared } from './pool.ts'

/** Held until the transaction ends. */
export const LOCK_BY_IDS = 'select count(pg_advisory_xact_lock(hashtextextended(id, 0))) from unnest($1::text[]) as id'

const MOST_TRIES = 5

export async function batchEach(pool: pg.Pool, batches: Batch[]): Promise<PromiseSettledResult<WriteResult[]>[]> {
  try {
    const values = await allOrNothing(pool, batches)
    return values.map((value) => ({ status: 'fulfilled', value }))
  } catch (reason) {
    if (isStoreError(reason, 'unavailable')) return batches.map(() => ({ status: 'rejected', reason }))
    return eachByItself(pool, batches)
  }
}

/** One round trip, unless what the server counts decides whether to commit. */
export function allOrNothing(pool: pg.Pool, batches: Batch[]): Promise<WriteResult[][]> {
  const hasLimits = batches.some(({ limits = [] }) => limits.length > 0)
  return transact(pool, (client) => runWithin(client, batches), { commitsAtOnce: !hasLimits })
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
    const [value = []] = await runWithin(client, [batch])
    await client.query('release savepoint job')
    return { status: 'fulfilled', value }
  } catch (error) {
    if (isDeadlock(error)) throw error
    await client.query('rollback to savepoint job')
    return { status: 'rejected', reason: storeErrorOf(error) }
  }
}

interface Statement {
  sql: string
  parameters: readonly unknown[]
}

/** All statements are sent at once. After one that fails, PostgreSQL refuses the rest: its error is the reason. */
async function runWithin(client: pg.PoolClient, batches: Batch[]): Promise<WriteResult[][]> {
  const sent = batches.map(statementsOf)
  const answers = await Promise.allSettled(
    sent.flat().map(({ sql, parameters }) => client.query(prepared(client, sql, parameters))),
  )
  const results = answers.map((answer) => {
    if (answer.status === 'rejected') throw answer.reason
    return answer.value
  })
  let from = 0
  return batches.map((batch, i) => {
    const own = results.slice(from, from + (sent[i]?.length ?? 0))
    from += own.length
    return resultsOf(batch, own)
  })
}

/** The locks are those of `lockBuildings` too: what a gateway adds to a building counts like what its owner adds. */
function statementsOf({ queries, limits = [] }: Batch): Statement[] {
  const owners = new Set(limits.map(({ ownerId }) => ownerId))
  const locks = owners.size > 0 ? [{ sql: LOCK_BY_IDS, parameters: [[...owners].sort()] }] : []
  const counts = limits.map(({ count }) => count)
  return [...locks, ...[...queries, ...counts].map((query) => query.compile())]
}

function resultsOf({ queries, limits = [] }: Batch, answers: pg.QueryResult[]): WriteResult[] {
  const firstCount = answers.length - limits.length
  for (const [i, limit] of limits.entries()) refuseBeyond(limit, answers[firstCount + i]?.rows ?? [])
  return answers.slice(firstCount - queries.length, firstCount).map(({ rowCount }) => ({ affectedRows: rowCount ?? 0 }))
}

/**
 * Of two transactions that wait for each other PostgreSQL ends one, which may simply be tried again; one that used an
 * outdated plan, on another connection.
 */
async function triedAgain<T>(work: () => Promise<T>): Promise<T> {
  for (let triesLeft = MOST_TRIES; ; ) {
    try {
      return await work()
    } catch (error) {
      if (!(isDeadlock(error) || isPlanOutdated(error)) || --triesLeft === 0) throw error
    }
  }
}

type Work<T> = (client: pg.PoolClient) => Promise<T>

/** With `commitsAtOnce` the commit is sent with the work: of a transaction in which something failed it is a rollback. */
export function transact<T>(pool: pg.Pool, work: Work<T>, { commitsAtOnce = false } = {}): Promise<T> {
  const committing = commitsAtOnce ? sentWithCommit<T> : committed<T>
  return translated(() => triedAgain(() => withClient(pool, (client) => committing(client, work))))
}

async function sentWithCommit<T>(client: pg.PoolClient, work: Work<T>): Promise<T> {
  const [begun, result, ended] = await Promise.allSettled([client.query('begin'), work(client), client.query('commit')])
  for (const each of [begun, result, ended]) if (each.status === 'rejected') throw each.reason
  return (result as PromiseFulfilledResult<Awaited<T>>).value
}

async function committed<T>(client: pg.PoolClient, work: Work<T>): Promise<T> {
  await client.query('begin')
  try {
    const result = await work(client)
    await client.query('commit')
    return result
  } catch (error) {
    if (isServerGone(error)) throw error
    await client.query('rollback').catch((failure) => {
      throw isServerGone(failure) ? failure : error
    })
    throw error
  }
}

async function withClient<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    return await work(client)
  } catch (error) {
    if (isServerGone(error) || isPlanOutdated(error)) broken = error
    throw error
  } finally {
    client.release(broken)
  }
}
