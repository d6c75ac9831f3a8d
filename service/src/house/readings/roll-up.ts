import { DAY_MS, HOUR_MS } from '@hypocaust/domain'
import { type Compilable, sql } from 'kysely'
import { leftoversOf, PARTITIONED, type PartitionedTable } from '../../store/partitions.ts'
import type { Store } from '../../store/store.ts'
import { FIVE_MINUTE, HOURLY, moving, removing, type Span } from './grains.ts'
import { keepPartitions } from './keep-partitions.ts'
import { floorTo, limitsOf, type Retention } from './retention.ts'

/** One pass moves at most this span, so that no write is long. */
const SPAN_MS = 6 * HOUR_MS
const MESSAGES_KEPT_DAYS = 60

/** One after the other; bounded, so that a heap of strange time stamps does not keep the database busy for long. */
const PASSES_AT_ONCE = 100

/** Moves what is old into coarser grain and forgets what is oldest. */
export async function rollUpAll(
  store: Store,
  nowMs: number,
  retention: Retention,
  stopping?: AbortSignal,
): Promise<void> {
  if (store.partitions) await keepPartitions(store, store.partitions, { nowMs, ...limitsOf(nowMs, retention) })
  for (let pass = 0; pass < PASSES_AT_ONCE && !stopping?.aborted; pass++)
    if (!(await rollUp(store, nowMs, retention))) return
}

/** One span of each table, of rows that do not go with a partition of their own. Returns whether there is more to do. */
export async function rollUp(store: Store, nowMs: number, retention: Retention): Promise<boolean> {
  const { rawUntil, fineUntil, hourlyUntil, decisionsUntil, windowsUntil } = limitsOf(nowMs, retention)
  const forget = (table: string, span: Span) => [removing(store, table, span)]
  const isThereMore = [
    await workOff(store, 'readings', rawUntil, (table, span) => moving(store, FIVE_MINUTE, table, span)),
    await workOff(store, 'readings_five_minute', fineUntil, (table, span) => moving(store, HOURLY, table, span)),
    await workOff(store, 'readings_hourly', hourlyUntil, forget),
    await workOff(store, 'decisions', decisionsUntil, forget),
    await workOff(store, 'valve_windows', windowsUntil, forget),
  ]
  await store.db
    .deleteFrom('gatewayMessages')
    .where('receivedAt', '<', nowMs - MESSAGES_KEPT_DAYS * DAY_MS)
    .execute()
  return isThereMore.includes(true)
}

/** The oldest span of rows that are due, in one write: nothing is counted twice or lost. */
async function workOff(
  store: Store,
  table: PartitionedTable,
  untilMs: number,
  work: (table: string, span: Span) => Compilable[],
): Promise<boolean> {
  const { column } = PARTITIONED[table]
  let isThereMore = false
  for (const part of store.partitions ? leftoversOf(table) : [table]) {
    const oldest = await oldestIn(store, part, column)
    if (oldest === undefined || oldest >= untilMs) continue
    const fromMs = floorTo(oldest, HOUR_MS)
    await store.batch(work(part, { column, fromMs, toMs: Math.min(untilMs, fromMs + SPAN_MS) }))
    isThereMore ||= ((await oldestIn(store, part, column)) ?? untilMs) < untilMs
  }
  return isThereMore
}

async function oldestIn({ db }: Store, table: string, column: string): Promise<number | undefined> {
  const at = sql<number>`${sql.ref(column)}`
  const row = await db
    .selectFrom(table as 'readings')
    .select(at.as('at'))
    .orderBy(at)
    .limit(1)
    .executeTakeFirst()
  return row?.at
}
