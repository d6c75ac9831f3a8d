import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from 'pino'
import { connectingTo } from '../store/postgres/hosts.ts'
import { SILENCE_LIMIT_MS } from '../store/postgres/silence-limit.ts'
import { StoreError } from '../store/store.ts'

interface Subscription {
  /** By the name of the channel. */
  channels: Record<string, (payload: string) => void>
  /** At every later connection: notifications sent meanwhile were missed. */
  onConnect?(): void
}

/** A notification holds 8,000 bytes. */
export const BUILDINGS_PER_NOTIFICATION = 150

const RETRY_AFTER_MS = 500
/** A connection may break without notice; then other processes hold its locks, and its notifications are lost. */
const PROBE_EVERY_MS = 2000
const GOODBYE_MS = 1000

type Ask = (text: string, values?: string[]) => Promise<pg.QueryResult>

/**
 * A process's own connection to PostgreSQL, apart from the pool: on it the process notifies others and is notified by
 * them, and holds the locks of the work that only one may do. When the connection breaks, the locks are gone with it,
 * and it is made anew.
 */
export class PostgresNotifier {
  readonly #url: string
  readonly #logger: Logger
  readonly #subscriptions: Subscription[] = []
  readonly #stopping = new AbortController()
  #connection: { ask: Ask; lost: AbortController } | undefined
  #running: Promise<void> = Promise.resolve()

  constructor(url: string, logger: Logger) {
    this.#url = url
    this.#logger = logger
  }

  get isUp(): boolean {
    return this.#connection !== undefined
  }

  async subscribe(subscription: Subscription): Promise<void> {
    this.#subscriptions.push(subscription)
    // Without a connection, the next one listens from its beginning.
    if (this.#connection) await listen(this.#connection.ask, subscription).catch(() => undefined)
  }

  /** Resolves when the connection is up for the first time, or cannot be had for the moment. */
  start(): Promise<void> {
    return new Promise((resolve) => {
      this.#running = this.#keepUp(resolve)
    })
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#connection?.lost.abort()
    await this.#running
  }

  /** Notifies all processes that listen, this one included. Lost while the connection is down: processes that missed it read again. */
  async notify(channel: string, payload: string): Promise<void> {
    await this.#connection?.ask('select pg_notify($1, $2)', [channel, payload]).catch(() => undefined)
  }

  /** Does the work unless another process is at it. The signal says that the lock is lost. */
  async alone(job: string, work: (lost: AbortSignal) => Promise<unknown>): Promise<void> {
    const connection = this.#connection
    if (!connection) throw new StoreError('unavailable', 'the connection for notifications is down')
    const { ask, lost } = connection
    const key = `hypocaust ${job}`
    const { rows } = await ask('select pg_try_advisory_lock(hashtextextended($1, 0)) as got', [key])
    if (!rows[0]?.got) return
    try {
      await work(lost.signal)
    } finally {
      await ask('select pg_advisory_unlock(hashtextextended($1, 0))', [key]).catch(() => undefined)
    }
  }

  async #keepUp(onAttempted: () => void): Promise<void> {
    const stopping = this.#stopping.signal
    while (!stopping.aborted) {
      try {
        await this.#connect(stopping, onAttempted)
      } catch (err) {
        this.#logger.warn({ err }, 'the connection for notifications is down; trying again')
      }
      onAttempted()
      await pause(RETRY_AFTER_MS, undefined, { signal: stopping }).catch(() => undefined)
    }
  }

  /** Until the connection is lost. */
  async #connect(stopping: AbortSignal, onUp: () => void): Promise<void> {
    const { Client, connectionString } = connectingTo(this.#url)
    const client = new Client({
      connectionString,
      application_name: 'hypocaust line',
      connectionTimeoutMillis: SILENCE_LIMIT_MS,
      query_timeout: SILENCE_LIMIT_MS,
      keepAlive: true,
    })
    const lost = new AbortController()
    const isLost = new Promise<void>((resolve) => lost.signal.addEventListener('abort', () => resolve()))
    client.on('error', () => lost.abort())
    client.on('end', () => lost.abort())
    client.on('notification', ({ channel, payload = '' }) => {
      for (const { channels } of this.#subscriptions) channels[channel]?.(payload)
    })
    const ask = oneByOne(client)
    const probe = setInterval(() => ask('select 1').catch(() => lost.abort()), PROBE_EVERY_MS)
    try {
      await client.connect()
      // A notification changes no data: it need not wait for the disk, or for a standby.
      await ask('set synchronous_commit = off')
      for (const subscription of this.#subscriptions) await listen(ask, subscription)
      if (stopping.aborted) return
      this.#connection = { ask, lost }
      onUp()
      for (const { onConnect } of this.#subscriptions) onConnect?.()
      await isLost
    } finally {
      this.#connection = undefined
      clearInterval(probe)
      lost.abort()
      // A peer that is gone does not say goodbye.
      await Promise.race([client.end().catch(() => undefined), pause(GOODBYE_MS)])
    }
  }
}

async function listen(ask: Ask, { channels }: Subscription): Promise<void> {
  for (const channel of Object.keys(channels)) await ask(`listen ${pg.escapeIdentifier(channel)}`)
}

function oneByOne(client: pg.Client): Ask {
  let last: Promise<unknown> = Promise.resolve()
  return (text, values) => {
    const answer = last.then(() => client.query(text, values))
    last = answer.catch(() => undefined)
    return answer
  }
}
