import pg from 'pg'
import type { Cell } from './cell.ts'
import type { Part } from './parts.ts'

/** Some rows of a part: all, or those of a span of its buckets. */
export interface Span {
  part: Part
  /** Of the buckets' column: at least the first, less than the second; null for all rows. */
  bounds: [number, number] | null
  /** Whether the target has any of them. */
  isThere: boolean
}

/** Rows that are carried at a time, and no more than fit in memory. */
const ROWS_AT_ONCE = 5000

const quoted = pg.escapeIdentifier
const list = (names: string[]): string => names.map(quoted).join(', ')

/** Of each bucket its number of rows and a sum of their hashes, which is the same in whatever order they are read. */
async function summaryOf(cell: Cell, { table, where, buckets }: Part, columns: string[], buildingId: string) {
  const bucket = buckets ? `${quoted(buckets.column)} / ${buckets.width}` : '0'
  const rows = await cell.rows<{ bucket: number; count: number; hash: string }>(
    `select ${bucket} as bucket, count(*)::int as count,
        sum(hashtextextended(row(${list(columns)})::text, 0)::numeric)::text as hash
      from ${quoted(table)} where ${where} group by 1 order by 1`,
    [buildingId],
  )
  return new Map(rows.map(({ bucket, count, hash }) => [Number(bucket), { count, hash }]))
}

/** Where the two differ, in spans that are carried at once. */
export async function differences(from: Cell, to: Cell, part: Part, buildingId: string): Promise<Span[]> {
  const columns = await from.columnsOf(part.table)
  const [here, there] = await Promise.all([
    summaryOf(from, part, columns, buildingId),
    summaryOf(to, part, columns, buildingId),
  ])
  const isSame = (bucket: number) =>
    here.get(bucket)?.hash === there.get(bucket)?.hash && here.get(bucket)?.count === there.get(bucket)?.count
  const different = [...new Set([...here.keys(), ...there.keys()])].filter((bucket) => !isSame(bucket))
  const { buckets } = part
  if (!buckets) return different.length === 0 ? [] : [{ part, bounds: null, isThere: there.size > 0 }]
  const spans: Span[] = []
  let rows = ROWS_AT_ONCE
  for (const bucket of different.toSorted((a, b) => a - b)) {
    const last = spans.at(-1)
    const follows = last?.bounds?.[1] === bucket * buckets.width
    if (last?.bounds && follows && rows < ROWS_AT_ONCE) {
      last.bounds[1] += buckets.width
      last.isThere ||= there.has(bucket)
    } else {
      rows = 0
      const bounds: [number, number] = [bucket * buckets.width, (bucket + 1) * buckets.width]
      spans.push({ part, bounds, isThere: there.has(bucket) })
    }
    rows += here.get(bucket)?.count ?? 0
  }
  return spans
}

/** Deletes at the target what the source does not have. */
export async function deleteGone(from: Cell, to: Cell, span: Span, buildingId: string): Promise<void> {
  if (!span.isThere) return
  const { table } = span.part
  const key = await from.keyOf(table)
  const { where, values } = whereOf(span, buildingId)
  const kept = await asJson(from, `select ${list(key)} from ${quoted(table)} where ${where}`, values)
  await to.write(
    `delete from ${quoted(table)} where ${where} and (${list(key)}) not in
      (select ${list(key)} from json_populate_recordset(null::${quoted(table)}, $${values.length + 1}::json))`,
    [...values, kept],
  )
}

/** Writes the rows of the source at the target, over those of the same key. */
export async function copySpan(from: Cell, to: Cell, span: Span, buildingId: string): Promise<void> {
  const { where, values } = whereOf(span, buildingId)
  await copyRows(from, to, { table: span.part.table, where, values })
}

interface Copied {
  table: string
  where: string
  values: unknown[]
  /** What becomes of a row whose key the target has; it is replaced unless given. */
  onConflict?: string
  /** Columns that get another value, as JSON of the row. */
  changed?: object
}

export async function copyRows(
  from: Cell,
  to: Cell,
  { table, where, values, onConflict, changed = {} }: Copied,
): Promise<void> {
  const columns = await from.columnsOf(table)
  const key = await from.keyOf(table)
  const rows = await asJson(from, `select ${list(columns)} from ${quoted(table)} where ${where}`, values)
  const rest = columns.filter((column) => !key.includes(column))
  const replaced = rest.map((column) => `${quoted(column)} = excluded.${quoted(column)}`).join(', ')
  const otherwise = onConflict ?? (rest.length > 0 ? `do update set ${replaced}` : 'do nothing')
  await to.write(
    `insert into ${quoted(table)} (${list(columns)})
      select ${list(columns)} from json_populate_recordset(null::${quoted(table)},
        (select coalesce(json_agg(row::jsonb || $2::jsonb), '[]') from json_array_elements($1::json) as row))
      on conflict (${list(key)}) ${otherwise}`,
    [rows, JSON.stringify(changed)],
  )
}

/** Numbers stay as PostgreSQL writes them, with all their digits. */
async function asJson(cell: Cell, select: string, values: unknown[]): Promise<string> {
  const sql = `select coalesce(json_agg(row_to_json(found)), '[]')::text as rows from (${select}) as found`
  const [row] = await cell.rows<{ rows: string }>(sql, values)
  return row?.rows ?? '[]'
}

function whereOf({ part, bounds }: Span, buildingId: string): { where: string; values: unknown[] } {
  if (!part.buckets || !bounds) return { where: part.where, values: [buildingId] }
  const column = quoted(part.buckets.column)
  return { where: `${part.where} and ${column} >= $2 and ${column} < $3`, values: [buildingId, ...bounds] }
}
