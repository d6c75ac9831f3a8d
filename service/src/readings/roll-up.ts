import { type Compilable, sql } from 'kysely'
import type { Store } from '../store/store.ts'

/** How long readings are kept in which grain; 0 days of hourly means for ever. */
export interface Retention {
  rawDays: number
  fiveMinuteDays: number
  hourlyDays: number
  decisionDays: number
}

const DAY_MS = 86_400_000
const FIVE_MINUTES_MS = 300_000
const HOUR_MS = 3_600_000
/** One pass moves at most this span, so that no write is long. */
const SPAN_MS = 6 * HOUR_MS
const MESSAGES_KEPT_DAYS = 60

/** One after the other; bounded, so that a heap of strange time stamps does not keep the database busy for long. */
const PASSES_AT_ONCE = 100

/** Moves what is old into coarser grain and forgets what is oldest. */
export async function rollUpAll(store: Store, nowMs: number, retention: Retention): Promise<void> {
  for (let pass = 0; pass < PASSES_AT_ONCE; pass++) if (!(await rollUp(store, nowMs, retention))) return
}

/** One span. Returns whether there is more to do. */
export async function rollUp(store: Store, nowMs: number, retention: Retention): Promise<boolean> {
  const rawUntil = floorTo(nowMs - retention.rawDays * DAY_MS, FIVE_MINUTES_MS)
  const fineUntil = floorTo(nowMs - retention.fiveMinuteDays * DAY_MS, HOUR_MS)
  const movedRaw = await moveOldest(store, 'readings', rawUntil)
  const movedFine = await moveOldest(store, 'readings_five_minute', fineUntil)
  await forget(store, nowMs, retention)
  return movedRaw || movedFine
}

async function forget(store: Store, nowMs: number, { rawDays, hourlyDays, decisionDays }: Retention): Promise<void> {
  const { db } = store
  await store.batch([
    db.deleteFrom('gatewayMessages').where('receivedAt', '<', nowMs - MESSAGES_KEPT_DAYS * DAY_MS),
    db.deleteFrom('decisions').where('decidedAt', '<', nowMs - decisionDays * DAY_MS),
    db.deleteFrom('valveWindows').where('startedAt', '<', nowMs - rawDays * DAY_MS),
    ...(hourlyDays > 0 ? [db.deleteFrom('readingsHourly').where('startsAt', '<', nowMs - hourlyDays * DAY_MS)] : []),
  ])
}

type Grain = 'readings' | 'readings_five_minute'

/** The oldest span of one grain becomes the next coarser one, in one write: nothing is counted twice or lost. */
async function moveOldest(store: Store, grain: Grain, until: number): Promise<boolean> {
  const oldest = await oldestIn(store, grain)
  if (oldest === undefined || oldest >= until) return false
  const bucketMs = grain === 'readings' ? FIVE_MINUTES_MS : HOUR_MS
  const from = floorTo(oldest, bucketMs)
  const to = Math.min(until, from + SPAN_MS)
  await store.batch(grain === 'readings' ? moveRaw(store, from, to) : moveFine(store, from, to))
  return to < until || ((await oldestIn(store, grain)) ?? until) < until
}

async function oldestIn({ db }: Store, grain: Grain): Promise<number | undefined> {
  if (grain === 'readings') {
    return (await db.selectFrom('readings').select('measuredAt').orderBy('measuredAt').limit(1).executeTakeFirst())
      ?.measuredAt
  }
  return (await db.selectFrom('readingsFiveMinute').select('startsAt').orderBy('startsAt').limit(1).executeTakeFirst())
    ?.startsAt
}

function moveRaw(store: Store, from: number, to: number): Compilable[] {
  const bucket = sql`measured_at - measured_at % ${sql.lit(FIVE_MINUTES_MS)}`
  return [
    compilable(
      store,
      sql`insert into readings_five_minute (sensor_id, starts_at, count, mean_c, min_c, max_c, humidity_count, humidity_pct)
        select sensor_id, ${bucket}, count(*), avg(temperature_c), min(temperature_c), max(temperature_c),
          count(humidity_pct), avg(humidity_pct)
        from readings where measured_at >= ${from} and measured_at < ${to}
        group by sensor_id, ${bucket} ${mergeInto('readings_five_minute')}`,
    ),
    store.db.deleteFrom('readings').where('measuredAt', '>=', from).where('measuredAt', '<', to),
  ]
}

function moveFine(store: Store, from: number, to: number): Compilable[] {
  const bucket = sql`starts_at - starts_at % ${sql.lit(HOUR_MS)}`
  return [
    compilable(
      store,
      sql`insert into readings_hourly (sensor_id, starts_at, count, mean_c, min_c, max_c, humidity_count, humidity_pct)
        select sensor_id, ${bucket}, sum(count), sum(mean_c * count) / sum(count), min(min_c), max(max_c),
          sum(humidity_count), sum(humidity_pct * humidity_count) / nullif(sum(humidity_count), 0)
        from readings_five_minute where starts_at >= ${from} and starts_at < ${to}
        group by sensor_id, ${bucket} ${mergeInto('readings_hourly')}`,
    ),
    store.db.deleteFrom('readingsFiveMinute').where('startsAt', '>=', from).where('startsAt', '<', to),
  ]
}

/** Readings that arrive late, from a gateway's buffer, join a bucket that is there already by weight. */
function mergeInto(table: string) {
  const old = (column: string) => sql.ref(`${table}.${column}`)
  const added = (column: string) => sql.ref(`excluded.${column}`)
  const weighted = (column: string, count: string) =>
    sql`(coalesce(${old(column)}, 0) * ${old(count)} + coalesce(${added(column)}, 0) * ${added(count)})
      / nullif(${old(count)} + ${added(count)}, 0)`
  return sql`on conflict (sensor_id, starts_at) do update set
    mean_c = ${weighted('mean_c', 'count')},
    humidity_pct = ${weighted('humidity_pct', 'humidity_count')},
    min_c = case when ${added('min_c')} < ${old('min_c')} then ${added('min_c')} else ${old('min_c')} end,
    max_c = case when ${added('max_c')} > ${old('max_c')} then ${added('max_c')} else ${old('max_c')} end,
    count = ${old('count')} + ${added('count')},
    humidity_count = ${old('humidity_count')} + ${added('humidity_count')}`
}

const compilable = (store: Store, statement: ReturnType<typeof sql>): Compilable => ({
  compile: () => statement.compile(store.db),
})

const floorTo = (value: number, step: number): number => value - (((value % step) + step) % step)
