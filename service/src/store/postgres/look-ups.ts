import type pg from 'pg'
import type { SlowCount } from '../load.ts'
import { LOOK_UP_PATIENCE_MS } from '../store.ts'
import { isPlanOutdated, storeErrorOf } from './errors.ts'
import { LookUpConnection } from './look-up-connection.ts'
import type { Read } from './read.ts'
import type { Sent } from './statement-run.ts'

/**
 * Statements that come with nearly every request and take the database a fraction of a millisecond. They share one
 * connection, since taking one from the pool for each and what `pg` does for a query cost the service more than all
 * else about them. Until it is open, and while one of them takes long, they are read like any other.
 */
export class LookUps {
  readonly #pool: pg.Pool
  readonly #read: Read
  readonly #slow: SlowCount
  #connection: LookUpConnection | undefined
  #isOpening = false
  #isClosed = false

  constructor(pool: pg.Pool, read: Read, slow: SlowCount) {
    this.#pool = pool
    this.#read = read
    this.#slow = slow
  }

  async run<Row>(query: Sent): Promise<Row[]> {
    const connection = this.#trusted()
    if (!connection) void this.#open()
    if (!connection || connection.waitingMs > LOOK_UP_PATIENCE_MS) return this.#read<Row>(query)
    const startedMs = performance.now()
    try {
      return await connection.run<Row>(query)
    } catch (error) {
      if (!isPlanOutdated(error)) throw storeErrorOf(error)
      connection.end()
      return await this.#read<Row>(query)
    } finally {
      this.#slow.note(startedMs)
    }
  }

  close(): void {
    this.#isClosed = true
    this.#connection?.end()
  }

  /** A firewall in between may have dropped a connection that was silent for long, of which neither side hears. */
  #trusted(): LookUpConnection | undefined {
    const { idleTimeoutMillis } = this.#pool.options
    if (this.#connection && idleTimeoutMillis && this.#connection.idleMs > idleTimeoutMillis) this.#connection.end()
    return this.#connection
  }

  /** It is the pool's, and never its last. */
  async #open(): Promise<void> {
    if (this.#isOpening || this.#isClosed || this.#pool.options.max < 2) return
    this.#isOpening = true
    try {
      const client = await this.#pool.connect()
      this.#connection = new LookUpConnection(client, this.#pool.options.query_timeout ?? 0, () => {
        this.#connection = undefined
      })
      if (this.#isClosed) this.#connection.end()
    } catch {
      // The next look-up tries again.
    } finally {
      this.#isOpening = false
    }
  }
}
