import { type Kysely, sql } from 'kysely'
import type { RateWindow, RateWindows, RunningWindow } from '../rate-windows.ts'
import type { Tables } from '../tables.ts'

const LONGEST_WINDOW_MS = 24 * 3_600_000

interface Row {
  used: number
  endsAt: number
  exceeded: boolean
}

/** Each request is one statement on one row that is not logged. */
export class PostgresRateWindows implements RateWindows {
  readonly #db: Kysely<Tables>

  constructor(db: Kysely<Tables>) {
    this.#db = db
  }

  async spend(name: string, limit: number, windowMs: number, nowMs: number): Promise<RateWindow> {
    const endsAt = nowMs + windowMs
    // A window that ends later than one begun now was begun before the clock was set back: it is over too.
    const isOver = sql`(running.ends_at <= ${nowMs} or running.ends_at > ${endsAt})`
    const { rows } = await sql<Row>`with spent as (
        insert into rate_windows as running (name, ends_at, used) values (${name}, ${endsAt}, 1)
        on conflict (name) do update set
          used = case when ${isOver} then 1 else running.used + 1 end,
          ends_at = case when ${isOver} then excluded.ends_at else running.ends_at end
        where ${isOver} or running.used < ${limit}
        returning used, ends_at
      )
      select used, ends_at, false as exceeded from spent
      union all
      select used, ends_at, true from rate_windows where name = ${name} and not exists (select from spent)`.execute(
      this.#db,
    )
    // No row at all: another process opened and used up the window while this one waited for its row.
    const window = rows[0] ?? { used: limit, endsAt, exceeded: true }
    return { used: window.used, endsAtMs: window.endsAt, exceeded: window.exceeded }
  }

  async look(name: string, nowMs: number): Promise<RunningWindow | undefined> {
    const { rows } = await sql<Omit<Row, 'exceeded'>>`select used, ends_at from rate_windows
      where name = ${name} and ends_at > ${nowMs}`.execute(this.#db)
    return rows[0] && { used: rows[0].used, endsAtMs: rows[0].endsAt }
  }

  async refund(name: string, nowMs: number): Promise<RunningWindow | undefined> {
    const { rows } = await sql<Omit<Row, 'exceeded'>>`update rate_windows set used = greatest(0, used - 1)
      where name = ${name} and ends_at > ${nowMs} returning used, ends_at`.execute(this.#db)
    return rows[0] && { used: rows[0].used, endsAtMs: rows[0].endsAt }
  }

  async forget(nowMs: number): Promise<void> {
    await sql`delete from rate_windows where ends_at <= ${nowMs} or ends_at > ${nowMs + LONGEST_WINDOW_MS}`.execute(
      this.#db,
    )
  }
}
