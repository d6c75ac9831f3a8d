import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Clock } from '../../base/clock.ts'
import type { Store } from '../../store/store.ts'
import { type Budget, type Limits, OwnLimits, type RateLimits, type Spending, spendingOf, WINDOW_S } from './limits.ts'

interface Row {
  used: number
  endsAt: number
  exceeded: boolean
}

/** One count for all processes where the database has room for it, else one for this process. */
export const rateLimits = (
  name: string,
  limits: Limits,
  store: Store,
  clock: Clock,
  windowS: number = WINDOW_S,
): RateLimits =>
  store.engine === 'postgres'
    ? new SharedLimits(name, limits, store, clock, windowS)
    : new OwnLimits(limits, clock, windowS)

/** Windows in PostgreSQL, one for all processes: each request is one statement on one row that is not logged. */
class SharedLimits implements RateLimits {
  readonly #name: string
  readonly #limits: Limits
  readonly #store: Store
  readonly #clock: Clock
  readonly #windowMs: number

  constructor(name: string, limits: Limits, store: Store, clock: Clock, windowS: number) {
    this.#name = name
    this.#limits = limits
    this.#store = store
    this.#clock = clock
    this.#windowMs = windowS * 1000
  }

  quota(budget: Budget): number {
    return this.#limits[budget]
  }

  async spend(key: string, budget: Budget): Promise<Spending> {
    const nowMs = this.#clock.now()
    const endsAt = nowMs + this.#windowMs
    const limit = this.#limits[budget]
    const name = this.#windowName(key, budget)
    const { rows } = await sql<Row>`with spent as (
        insert into rate_windows as running (name, ends_at, used) values (${name}, ${endsAt}, 1)
        on conflict (name) do update set
          used = case when running.ends_at <= ${nowMs} then 1 else running.used + 1 end,
          ends_at = case when running.ends_at <= ${nowMs} then excluded.ends_at else running.ends_at end
        where running.ends_at <= ${nowMs} or running.used < ${limit}
        returning used, ends_at
      )
      select used, ends_at, false as exceeded from spent
      union all
      select used, ends_at, true from rate_windows where name = ${name} and not exists (select from spent)`.execute(
      this.#store.db,
    )
    // Nothing at all: somebody else opened and used up the window while we waited for its row.
    const { exceeded, ...window } = rows[0] ?? { used: limit, endsAt, exceeded: true }
    return spendingOf({ used: window.used, endsAtMs: window.endsAt }, limit, nowMs, exceeded)
  }

  async refund(key: string, budget: Budget): Promise<Spending> {
    const nowMs = this.#clock.now()
    const { rows } = await sql<Omit<Row, 'exceeded'>>`update rate_windows set used = greatest(0, used - 1)
      where name = ${this.#windowName(key, budget)} and ends_at > ${nowMs} returning used, ends_at`.execute(
      this.#store.db,
    )
    const { used, endsAt } = rows[0] ?? { used: 0, endsAt: nowMs + this.#windowMs }
    return spendingOf({ used, endsAtMs: endsAt }, this.#limits[budget], nowMs, false)
  }

  /** Of one length whatever it is made of, and no list of addresses. */
  #windowName(key: string, budget: Budget): string {
    return createHash('sha256').update(`${this.#name}/${key}/${budget}`).digest('base64url')
  }
}

/** Keys that have gone quiet leave nothing behind. */
export async function forgetWindows({ db }: Store, nowMs: number): Promise<void> {
  await sql`delete from rate_windows where ends_at <= ${nowMs}`.execute(db)
}
