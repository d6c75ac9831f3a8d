import type pg from 'pg'
import { StoreError } from '../store.ts'

/** As PostgreSQL numbers them: what a client is given at its start may be a pooler's. */
const backends = new WeakMap<object, number>()

export const backendOf = (client: pg.ClientBase): number | undefined => backends.get(client)

/** Settings of a session, said after its start: as options of the connection a pooler refuses them. */
export async function beginSession(client: pg.ClientBase, settings: Record<string, string | number>): Promise<void> {
  const sets = Object.entries(settings).map(([name, value]) => `set ${name} = ${value};`)
  const results = (await client.query(
    `${sets.join(' ')} select pg_backend_pid() as pid`,
  )) as unknown as pg.QueryResult[]
  backends.set(client, results.at(-1)?.rows[0].pid)
}

const ADVICE =
  'the pooler before PostgreSQL lends a connection for one transaction, but locks, notifications and prepared statements need a whole session. Set pool_mode = session, or connect directly'

/** Of two clients that are connected at one time, each has a server of its own, unless a pooler lends it to both. */
export async function refuseTransactionPooling(pool: pg.Pool): Promise<void> {
  const clients = await Promise.all([pool.connect(), pool.connect()])
  try {
    const pids: unknown[] = []
    for (const client of clients) pids.push((await client.query('select pg_backend_pid() as pid')).rows[0].pid)
    if (pids[0] === pids[1]) throw new StoreError('other', ADVICE)
  } finally {
    for (const client of clients) client.release()
  }
}
