import { CompiledQuery, type RawBuilder, sql } from 'kysely'
import { MicroBatch } from '../micro-batch.ts'
import type { RateWindow, RateWindows, RunningWindow } from '../rate-windows.ts'
import { type Reads, statement } from '../statement.ts'

const LONGEST_WINDOW_MS = 24 * 3_600_000

interface Spend {
  name: string
  limit: number
  windowMs: number
  nowMs: number
  units: number
}

interface Row {
  name: string
  used: number
  endsAt: number
}

/** When a window that begins now ends, and how much one holds. */
interface WindowTerms {
  nowMs: number
  endsAtMs: number
  limit: number
  /** One, unless given. */
  units?: number
}

/** Takes from each of the windows that `names` selects, and returns those that held one. */
function takingOne(names: RawBuilder<unknown>, { nowMs, endsAtMs, limit, units = 1 }: WindowTerms): RawBuilder<Row> {
  // A window that ends later than one begun now was begun before the clock was set back: it is over too.
  const isOver = sql`(running.ends_at <= ${nowMs}::bigint or running.ends_at > ${endsAtMs}::bigint)`
  // In one order, so that two processes never wait for each other's rows.
  return sql`insert into rate_windows as running (name, ends_at, used)
    select name, ${endsAtMs}::bigint, ${units}::integer from (${names}) as named order by name collate "C"
    on conflict (name) do update set
      used = case when ${isOver} then excluded.used else running.used + excluded.used end,
      ends_at = case when ${isOver} then excluded.ends_at else running.ends_at end
    where ${isOver} or running.used < ${limit}::integer
    returning name, used, ends_at`
}

const spending = statement(
  (db, { names, nowMs, endsAtMs, limit, units }: Required<WindowTerms> & { names: string[] }) => {
    const query = sql<Row & { exceeded: boolean }>`with named as (select name from unnest(${names}::text[]) as name),
    spent as (${takingOne(sql`select name from named`, { nowMs, endsAtMs, limit, units })})
    select name, used, ends_at, false as exceeded from spent
    union all
    select name, used, ends_at, true from rate_windows
    where name in (select name from named) and name not in (select name from spent)`
    return { compile: () => query.compile(db) }
  },
)

const REFUND = `update rate_windows set used = greatest(0, used - 1)
  where name = $1 and ends_at > $2 returning name, used, ends_at`

/** A row in use is left to the next time: so this never waits for a request, nor a request for this. */
const FORGET = `delete from rate_windows where name in (
  select name from rate_windows where ends_at <= $1 or ends_at > $2 for update skip locked)`

/** Rows that are not logged; what is spent in one turn of the event loop is one statement. */
export class PostgresRateWindows implements RateWindows {
  readonly #store: Reads
  readonly #spends = new MicroBatch<Spend, RateWindow>((spends) => this.#spendAll(spends))

  constructor(store: Reads) {
    this.#store = store
  }

  spend(name: string, limit: number, windowMs: number, nowMs: number, units: number): Promise<RateWindow> {
    return this.#spends.ask({ name, limit, windowMs, nowMs, units })
  }

  async refund(name: string, nowMs: number): Promise<RunningWindow | undefined> {
    const [row] = await this.#store.read<Row>(CompiledQuery.raw(REFUND, [name, nowMs]))
    return row && { used: row.used, endsAtMs: row.endsAt }
  }

  async forget(nowMs: number): Promise<void> {
    await this.#store.read(CompiledQuery.raw(FORGET, [nowMs, nowMs + LONGEST_WINDOW_MS]))
  }

  /** A statement takes once from a window: those of one window are spent one after the other, those of one kind together. */
  async #spendAll(spends: Spend[]): Promise<RateWindow[]> {
    const windows = new Map<Spend, RateWindow>()
    let left = spends
    while (left.length > 0) {
      const [first] = left as [Spend]
      const isAlike = ({ limit, windowMs, units }: Spend) =>
        limit === first.limit && windowMs === first.windowMs && units === first.units
      const together = new Map(left.filter(isAlike).map((spend) => [spend.name, spend]))
      const rows = await this.#spendEach([...together.keys()], first)
      for (const [name, spend] of together) windows.set(spend, rows.get(name) ?? usedUp(spend))
      left = left.filter((spend) => together.get(spend.name) !== spend)
    }
    return spends.map((spend) => windows.get(spend) as RateWindow)
  }

  async #spendEach(names: string[], { limit, windowMs, nowMs, units }: Spend): Promise<Map<string, RateWindow>> {
    const rows = await spending.all(this.#store, { names, nowMs, endsAtMs: nowMs + windowMs, limit, units })
    return new Map(rows.map(({ name, used, endsAt, exceeded }) => [name, { used, endsAtMs: endsAt, exceeded }]))
  }
}

/** Another process opened and used up the window while this one waited for its row. */
const usedUp = ({ limit, nowMs, windowMs }: Spend): RateWindow => ({
  used: limit,
  endsAtMs: nowMs + windowMs,
  exceeded: true,
})
