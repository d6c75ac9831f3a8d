import { EventEmitter } from 'node:events'
import type pg from 'pg'
import { connectingTo } from './hosts.ts'
import { backendOf } from './sessions.ts'
import { SILENCE_LIMIT_MS } from './silence-limit.ts'
import type { WatchedClient } from './watched-client.ts'

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
  readonly #pool: pg.Pool
  readonly #probe: Probe
  readonly #lent = new Map<WatchedClient, Lent>()
  readonly #timer: NodeJS.Timeout
  #isLooking = false
  #areCommitsHanging = false
  /** Every write that is under way listens. */
  readonly changes = new EventEmitter<{ hang: [] }>().setMaxListeners(0)

  constructor(pool: pg.Pool, probe: Probe) {
    this.#pool = pool
    this.#probe = probe
    pool.on('acquire', (client) => this.#lent.set(client as WatchedClient, { sinceMs: performance.now(), looks: 0 }))
    pool.on('release', (_error, client) => this.#lent.delete(client as unknown as WatchedClient))
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
    for (const client of this.#lent.keys()) client.cut()
  }

  async #look(): Promise<void> {
    const untilMs = performance.now() - SUSPICIOUS_AFTER_MS
    const waiting = [...this.#lent].filter(([client, { sinceMs }]) => client.isAwaitingAnswer && sinceMs < untilMs)
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

  #judge(waiting: [WatchedClient, Lent][], backends: Map<number, Backend>): void {
    const stateOf = (client: WatchedClient) => backends.get(backendOf(client) ?? 0)
    for (const [client, lent] of waiting) lent.looks = stateOf(client)?.state === 'active' ? 0 : lent.looks + 1
    const lost = waiting.filter(([, { looks }]) => looks >= LOST_AFTER_LOOKS)
    if (lost.length > 0) this.#end(lost)
    const wasHanging = this.#areCommitsHanging
    this.#areCommitsHanging = waiting.some(([client]) => stateOf(client)?.waitEvent === 'SyncRep')
    if (this.#areCommitsHanging && !wasHanging) this.changes.emit('hang')
  }

  /** Idle connections may be dead too, and nobody shall wait to find out. */
  #end(waiting: [WatchedClient, Lent][]): void {
    for (let idle = this.#pool.idleCount; idle > 0; idle--) void this.#dropIdle().catch(() => undefined)
    for (const [client, lent] of waiting) if (this.#lent.get(client) === lent && client.isAwaitingAnswer) client.cut()
  }

  async #dropIdle(): Promise<void> {
    const client = (await this.#pool.connect()) as WatchedClient
    client.release(true)
    client.cut()
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
