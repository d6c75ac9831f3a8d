import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import type pg from 'pg'
import { connectingTo } from './hosts.ts'
import { backendOf } from './sessions.ts'
import { SILENCE_LIMIT_MS } from './silence-limit.ts'

/**
 * Together with the limit of silence less than five seconds: nobody waits longer for a server that does not answer. A
 * statement on which the server works may take its time.
 */
const LOOK_EVERY_MS = 500
const SUSPICIOUS_AFTER_MS = 1500
/** An answer may be on its way at the first look. */
const LOST_AFTER_LOOKS = 2

/** What the server is doing for one of our connections. */
interface Backend {
  pid: number
  state: string | null
  waitEvent: string | null
}

/** Asks the server over a connection of its own, or fails. */
type Probe = (pids: number[]) => Promise<Backend[]>

/** Parts of pg's client that its types leave out. */
type Client = pg.PoolClient & { readyForQuery: boolean; connection: { stream: Socket } }

interface Lent {
  sinceMs: number
  /** Looks that found the server doing nothing for it. */
  looks: number
}

/**
 * Looks at connections that have waited long for an answer: ends them where the server is silent or knows nothing of
 * them, and notices when commits hang because a synchronous standby is gone, which reads do not feel.
 */
export class ServerWatch {
  readonly #probe: Probe
  readonly #lent = new Map<Client, Lent>()
  readonly #timer: NodeJS.Timeout
  readonly #connected = new Set<Client>()
  #isLooking = false
  #areCommitsHanging = false
  /** Every write that is under way listens. */
  readonly changes = new EventEmitter<{ hang: [] }>().setMaxListeners(0)

  constructor(pool: pg.Pool, probe: Probe) {
    this.#probe = probe
    pool.on('connect', (client) => this.#connected.add(client as Client))
    pool.on('acquire', (client) => this.#lent.set(client as Client, { sinceMs: performance.now(), looks: 0 }))
    pool.on('release', (_error, client) => this.#lent.delete(client as unknown as Client))
    pool.on('remove', (client) => this.#connected.delete(client as Client))
    this.#timer = setInterval(() => void this.#look(), LOOK_EVERY_MS).unref()
  }

  get areCommitsHanging(): boolean {
    return this.#areCommitsHanging
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** Also those on which the server works: what they have not committed is as if it had never been. */
  endAll(): void {
    for (const client of this.#lent.keys()) client.connection.stream.destroy()
  }

  async #look(): Promise<void> {
    const untilMs = performance.now() - SUSPICIOUS_AFTER_MS
    const waiting = [...this.#lent].filter(([client, { sinceMs }]) => !client.readyForQuery && sinceMs < untilMs)
    if (waiting.length === 0) this.#areCommitsHanging = false
    if (waiting.length === 0 || this.#isLooking) return
    this.#isLooking = true
    try {
      const backends = await this.#probe(waiting.flatMap(([client]) => backendOf(client) ?? []))
      this.#judge(waiting, new Map(backends.map((backend) => [backend.pid, backend])))
    } catch {
      this.#end(waiting)
    } finally {
      this.#isLooking = false
    }
  }

  #judge(waiting: [Client, Lent][], backends: Map<number, Backend>): void {
    const stateOf = (client: Client) => backends.get(backendOf(client) ?? 0)
    for (const [client, lent] of waiting) lent.looks = stateOf(client)?.state === 'active' ? 0 : lent.looks + 1
    const lost = waiting.filter(([, { looks }]) => looks >= LOST_AFTER_LOOKS)
    if (lost.length > 0) this.#end(lost)
    const wasHanging = this.#areCommitsHanging
    this.#areCommitsHanging = waiting.some(([client]) => stateOf(client)?.waitEvent === 'SyncRep')
    if (this.#areCommitsHanging && !wasHanging) this.changes.emit('hang')
  }

  /** Whatever is idle may be dead too, and nobody shall wait to find out: the pool drops a connection with an error. */
  #end(waiting: [Client, Lent][]): void {
    const error = new Error('the server is silent')
    for (const client of this.#connected) {
      if (this.#lent.has(client)) continue
      client.emit('error', error)
      client.connection.stream.destroy()
    }
    for (const [client, lent] of waiting)
      if (this.#lent.get(client) === lent && !client.readyForQuery) client.connection.stream.destroy()
  }
}

const LOOK = `select pid, state, wait_event as "waitEvent" from pg_stat_activity where pid = any($1::int[])`

/** Each time over a new connection, which leads to the server that answers now. */
export const probing =
  (url: string): Probe =>
  async (pids) => {
    const { Client, connectionString } = connectingTo(url)
    const client = new Client({
      connectionString,
      connectionTimeoutMillis: SILENCE_LIMIT_MS,
      query_timeout: SILENCE_LIMIT_MS,
      application_name: 'hypocaust watch',
    })
    client.on('error', () => {})
    try {
      await client.connect()
      return (await client.query<Backend>(LOOK, [pids])).rows
    } finally {
      void client.end()
    }
  }
