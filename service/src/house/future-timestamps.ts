import { DAY_MS, HOUR_MS } from '@hypocaust/domain/facts'
import { sql } from 'kysely'
import { AHEAD_MS } from '../base/clock.ts'
import { statement } from '../store/statement.ts'
import type { Store } from '../store/store.ts'

interface Stamp {
  table: string
  column: string
  /** How far ahead a right one may be. */
  aheadMs: number
  /** What takes its place: due at once, or happened just now. */
  becomes: 'due' | 'now'
}

/** Every stored time that something waits for, or that says when something was last done. */
const STAMPS: Stamp[] = [
  { table: 'gateways', column: 'command_due_at', aheadMs: HOUR_MS, becomes: 'due' },
  { table: 'gateways', column: 'last_seen_at', aheadMs: AHEAD_MS, becomes: 'now' },
  { table: 'buildings', column: 'controlled_at', aheadMs: AHEAD_MS, becomes: 'due' },
  { table: 'buildings', column: 'setpoints_change_at', aheadMs: DAY_MS + AHEAD_MS, becomes: 'due' },
  { table: 'buildings', column: 'alerts_checked_at', aheadMs: AHEAD_MS, becomes: 'due' },
  { table: 'rooms', column: 'fitted_at', aheadMs: HOUR_MS, becomes: 'due' },
  { table: 'rooms', column: 'heat_counted_at', aheadMs: AHEAD_MS, becomes: 'due' },
  { table: 'forecasts', column: 'due_at', aheadMs: 48 * HOUR_MS, becomes: 'due' },
  { table: 'market_prices', column: 'due_at', aheadMs: 24 * HOUR_MS, becomes: 'due' },
  { table: 'tellings', column: 'due_at', aheadMs: 25 * HOUR_MS, becomes: 'due' },
  { table: 'webhooks', column: 'due_at', aheadMs: HOUR_MS + AHEAD_MS, becomes: 'due' },
  { table: 'webhook_deliveries', column: 'queued_at', aheadMs: AHEAD_MS, becomes: 'now' },
  { table: 'monthly_mails', column: 'due_at', aheadMs: HOUR_MS + AHEAD_MS, becomes: 'due' },
  { table: 'alerts', column: 'began_at', aheadMs: AHEAD_MS, becomes: 'now' },
  { table: 'alerts', column: 'absent_since', aheadMs: AHEAD_MS, becomes: 'now' },
  { table: 'api_keys', column: 'last_used_at', aheadMs: AHEAD_MS, becomes: 'now' },
  { table: 'matter_bridges', column: 'seen_at', aheadMs: AHEAD_MS, becomes: 'now' },
]

const isAnyAhead = statement<{ nowMs: number }, { isAny: number }>((db, { nowMs }) => ({
  compile: () => {
    const some = STAMPS.map(
      ({ table, column, aheadMs }) =>
        sql`exists (select 1 from ${sql.table(table)} where ${sql.ref(column)} - ${sql.lit(aheadMs)} > ${nowMs})`,
    )
    return sql<{ isAny: number }>`select case when ${sql.join(some, sql` or `)} then 1 else 0 end as is_any`.compile(db)
  },
}))

interface Values {
  nowMs: number
  latestMs: number
}

const righting = STAMPS.map(({ table, column, aheadMs, becomes }) => ({
  aheadMs,
  update: statement<Values, unknown>((db, { nowMs, latestMs }) => ({
    compile: () =>
      sql`update ${sql.table(table)} set ${sql.ref(column)} = ${becomes === 'due' ? sql`0` : sql`${nowMs}`}
        where ${sql.ref(column)} > ${latestMs}`.compile(db),
  })),
}))

/**
 * Times written before the clock was set back lie in the future, and what goes by them would wait until then: commands
 * not repeated, rooms not controlled, alerts not looked for. They are put right; at all other times this changes nothing.
 */
export async function correctFutureTimestamps(store: Store, nowMs: number): Promise<number> {
  // Read first: nothing is written as a rule, and a start then needs no writer.
  if ((await isAnyAhead.first(store, { nowMs }))?.isAny !== 1) return 0
  const updates = righting.map(({ aheadMs, update }) => update.with(store, { nowMs, latestMs: nowMs + aheadMs }))
  const results = await store.batch(updates)
  return results.reduce((sum, { affectedRows }) => sum + affectedRows, 0)
}
