import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Clock } from '../../base/clock.ts'
import { OncePerMinute } from '../../base/once-per-minute.ts'
import type { Store } from '../store.ts'

/** Beyond this the machine's clock is wrong, or the database's. */
const DIFFERS_MS = 10_000

/**
 * The time of the database, which is one for all processes: read now and then, and carried on by the steady clock in
 * between. A process on a machine with a wrong clock stamps readings all the same, and says that it differs.
 */
export class DatabaseClock implements Clock {
  readonly #store: Store
  readonly #own: Clock
  readonly #logger: Logger
  readonly #complaints: OncePerMinute
  #read = { atMs: 0, elapsedMs: 0 }

  constructor(store: Store, own: Clock, logger: Logger) {
    this.#store = store
    this.#own = own
    this.#logger = logger
    this.#complaints = new OncePerMinute(own)
  }

  now(): number {
    return Math.round(this.#read.atMs + this.#own.elapsedMs() - this.#read.elapsedMs)
  }

  elapsedMs(): number {
    return this.#own.elapsedMs()
  }

  /** By how much this machine's clock is ahead of the database's. */
  get differenceMs(): number {
    return this.#own.now() - this.now()
  }

  /** Why this process is not ready, where the clocks differ by too much. */
  get complaint(): string | undefined {
    const seconds = Math.round(this.differenceMs / 1000)
    if (Math.abs(this.differenceMs) <= DIFFERS_MS) return undefined
    const how = seconds > 0 ? `${seconds} s ahead of` : `${-seconds} s behind`
    return `The clock of this machine is ${how} the database's. Set it right (NTP).`
  }

  async read(): Promise<void> {
    const beforeMs = this.#own.elapsedMs()
    const { rows } = await sql<{
      ms: number
    }>`select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`.execute(this.#store.db)
    const afterMs = this.#own.elapsedMs()
    // Half of the way there and back is the likeliest moment.
    this.#read = { atMs: Number(rows[0]?.ms), elapsedMs: (beforeMs + afterMs) / 2 }
    const { complaint } = this
    if (complaint !== undefined && this.#complaints.isFirst('clock')) this.#logger.error(complaint)
  }
}
