import { createHash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { connectingTo } from './hosts.ts'
import { beginSession } from './sessions.ts'
import { type WatchedClient, watched } from './watched-client.ts'

/** How long a connection waits for what, and how many there are. */
export interface PoolLimits {
  connections: number
  statementTimeoutMs: number
  lockTimeoutMs: number
}

/** A process has one thread: ten connections keep it busy, and twenty processes fit a server of three hundred. */
export const DEFAULT_LIMITS: PoolLimits = { connections: 10, statementTimeoutMs: 15_000, lockTimeoutMs: 5000 }

/** Also for one of the pool to become free. */
const CONNECT_TIMEOUT_MS = 4500
/** Nothing of ours waits within a transaction: one that does belongs to a process that has stopped. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000
/** A connection takes its prepared statements with it. */
const IDLE_CONNECTION_MS = 300_000
/** Else PostgreSQL plans a statement with lists anew at each use, as it takes the plan for short lists for a better one. */
export const PLAN_ONCE = 'force_generic_plan'
const DRAIN_LOOK_MS = 10
const DRAIN_LIMIT_MS = 1000
const BIGINT_OID = 20
const NUMERIC_OID = 1700

export function openPool(url: string, { connections, statementTimeoutMs, lockTimeoutMs }: PoolLimits): pg.Pool {
  const { connectionString, Client } = connectingTo(url)
  const pool = new pg.Pool({
    connectionString,
    Client: watched(Client),
    max: connections,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_CONNECTION_MS,
    keepAlive: true,
    application_name: 'hypocaust',
    // The statements of a transaction are sent without waiting for the answers to those before.
    pipeline: true,
    onConnect: (client) =>
      beginSession(client as WatchedClient, {
        statement_timeout: statementTimeoutMs,
        lock_timeout: lockTimeoutMs,
        idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
        plan_cache_mode: PLAN_ONCE,
      }),
    types: typesAsNumbers,
  })
  // A connection that breaks while idle is replaced at the next use.
  pool.on('error', () => {})
  // A connection that breaks while in use fails the next query; without a listener its event would end the process.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** Those under way, and those waiting for a connection, are let through first, as long as that takes little time. */
export async function drain(pool: pg.Pool, watch: { endAll(): void }): Promise<void> {
  const isBusy = () => pool.waitingCount > 0 || pool.idleCount < pool.totalCount
  for (const startedMs = performance.now(); isBusy() && performance.now() - startedMs < DRAIN_LIMIT_MS; )
    await setTimeout(DRAIN_LOOK_MS)
  const ended = pool.end()
  watch.endAll()
  await ended
}

/** Times and counts fit a double exactly, and the other engine has no other numbers. */
export const typesAsNumbers = {
  getTypeParser(oid: number, format?: string) {
    if (oid === BIGINT_OID || oid === NUMERIC_OID) return Number
    return pg.types.getTypeParser(oid, format as 'text')
  },
}

const KEPT_STATEMENTS = 300
/** A list of values makes another text for every length; only short ones come again. */
const MOST_PARAMETERS = 40
/** Of each connection: another knows nothing of them. */
const namesOf = new WeakMap<pg.ClientBase, Map<string, string>>()

/** With a name, a connection parses and plans a statement once, not at every use. */
export function prepared(client: pg.ClientBase, sql: string, parameters: readonly unknown[]): pg.QueryConfig {
  const query = { text: sql, values: [...parameters] }
  const name = parameters.length > MOST_PARAMETERS ? undefined : nameOf(client, sql)
  return name === undefined ? query : { ...query, name }
}

function nameOf(client: pg.ClientBase, sql: string): string | undefined {
  const names = namesOf.get(client) ?? new Map<string, string>()
  namesOf.set(client, names)
  const kept = names.get(sql)
  if (kept !== undefined || names.size >= KEPT_STATEMENTS) return kept
  const name = createHash('sha256').update(sql).digest('hex').slice(0, 32)
  names.set(sql, name)
  return name
}
