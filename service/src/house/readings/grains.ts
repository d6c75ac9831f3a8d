import { HOUR_MS } from '@hypocaust/domain'
import { type Compilable, type RawBuilder, sql } from 'kysely'
import type { Store } from '../../store/store.ts'

/** A coarser grain, and how its rows are made of those of the finer one. */
export interface Grain {
  table: string
  from: { column: string; bucketMs: number }
  figures: RawBuilder<unknown>
}

export interface Span {
  column: string
  fromMs: number
  toMs: number
}

export const FIVE_MINUTES_MS = 300_000

export const FIVE_MINUTE: Grain = {
  table: 'readings_five_minute',
  from: { column: 'measured_at', bucketMs: FIVE_MINUTES_MS },
  figures: sql`count(*), avg(temperature_c), min(temperature_c), max(temperature_c), count(humidity_pct), avg(humidity_pct)`,
}

export const HOURLY: Grain = {
  table: 'readings_hourly',
  from: { column: 'starts_at', bucketMs: HOUR_MS },
  figures: sql`sum(count), sum(mean_c * count) / sum(count), min(min_c), max(max_c), sum(humidity_count),
    sum(humidity_pct * humidity_count) / nullif(sum(humidity_count), 0)`,
}

/** What a table's rows become in a coarser grain. */
export const folding = (store: Store, grain: Grain, table: string): Compilable =>
  compilable(store, sql`${insertInto(grain)} from ${sql.table(table)} ${merging(grain)}`)

/** The rows of a span go over into a coarser grain, none twice, also when two processes do this at once. */
export const moving = ({ statements }: Store, grain: Grain, table: string, span: Span): Compilable[] =>
  statements.moveRows({
    table,
    where: within(span),
    insertFrom: (rows) => sql`${insertInto(grain)} from ${rows} ${merging(grain)}`,
  })

export const removing = (store: Store, table: string, span: Span): Compilable =>
  compilable(store, sql`delete from ${sql.table(table)} where ${within(span)}`)

const within = ({ column, fromMs, toMs }: Span) => sql`${sql.ref(column)} >= ${fromMs} and ${sql.ref(column)} < ${toMs}`

const bucketOf = ({ from: { column, bucketMs } }: Grain) =>
  sql`${sql.ref(column)} - ${sql.ref(column)} % ${sql.lit(bucketMs)}`

const insertInto = (grain: Grain) => sql`insert into ${sql.table(grain.table)}
  (sensor_id, starts_at, count, mean_c, min_c, max_c, humidity_count, humidity_pct)
  select sensor_id, ${bucketOf(grain)}, ${grain.figures}`

/** Readings that arrive late, from a gateway's buffer, join a bucket that is there already by weight. */
function merging(grain: Grain) {
  const old = (column: string) => sql.ref(`${grain.table}.${column}`)
  const added = (column: string) => sql.ref(`excluded.${column}`)
  const weighted = (column: string, count: string) =>
    sql`(coalesce(${old(column)}, 0) * ${old(count)} + coalesce(${added(column)}, 0) * ${added(count)})
      / nullif(${old(count)} + ${added(count)}, 0)`
  return sql`group by sensor_id, ${bucketOf(grain)} on conflict (sensor_id, starts_at) do update set
    mean_c = ${weighted('mean_c', 'count')},
    humidity_pct = ${weighted('humidity_pct', 'humidity_count')},
    min_c = case when ${added('min_c')} < ${old('min_c')} then ${added('min_c')} else ${old('min_c')} end,
    max_c = case when ${added('max_c')} > ${old('max_c')} then ${added('max_c')} else ${old('max_c')} end,
    count = ${old('count')} + ${added('count')},
    humidity_count = ${old('humidity_count')} + ${added('humidity_count')}`
}

const compilable = (store: Store, statement: RawBuilder<unknown>): Compilable => ({
  compile: () => statement.compile(store.db),
})
