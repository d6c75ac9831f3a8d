import type pg from 'pg'
import { StoreError } from '../store.ts'
import { SILENCE_LIMIT_MS } from './silence-limit.ts'
import type { WatchedClient } from './watched-client.ts'

/** As PostgreSQL numbers them: what a client is given at its start may be a pooler's. */
const backends = new WeakMap<object, number>()

export const backendOf = (client: pg.ClientBase): number | undefined => backends.get(client)

/**
 * Settings of a session, said after its start: as options of the connection a pooler refuses them. The pool no longer
 * watches the time then, and nobody else does before the connection is lent.
 */
export async function beginSession(client: WatchedClient, settings: Record<string, string | number>): Promise<void> {
  const sets = Object.entries(settings).map(([name, value]) => `set ${name} = ${value};`)
  const text = `${sets.join(' ')} select pg_backend_pid() as pid`
  const query = { text, query_timeout: SILENCE_LIMIT_MS } as pg.QueryConfig
  try {
    const results = (await client.query(query)) as unknown as pg.QueryResult[]
    backends.set(client, results.at(-1)?.rows[0].pid)
  } catch (error) {
    client.cut()
    throw error
  }
}

const ADVICE =
  'the pooler before PostgreSQL lends a connection for one transaction, but locks, notifications and prepared statements need a whole session. Set pool_mode = session, or connect directly'

/**
 * A client whose server another can have, or who is given another one, shares it. One after the other, so that the
 * pooler has the first one's server to lend when the second asks.
 */
export async function refuseTransactionPooling(pool: pg.Pool): Promise<void> {
  const first = await pool.connect()
  const second = await pool.connect()
  try {
    const own = await backendPid(first)
    await second.query('begin')
    const other = await backendPid(second)
    const again = await backendPid(first)
    await second.query('commit')
    if (other === own || again !== own) throw new StoreError('other', ADVICE)
  } finally {
    first.release()
    second.release()
  }
}

const backendPid = async (client: pg.ClientBase): Promise<number> =>
  (await client.query('select pg_backend_pid() as pid')).rows[0].pid
