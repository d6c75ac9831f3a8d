import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Engine } from './types.ts'

type Db = Kysely<unknown>

interface Growing {
  table: string
  column: string
  /** Of one partition; they begin at whole multiples of it. */
  widthMs: number
  key: { name: string; columns: string[] }
  reference: { name: string; columns: string[]; table: string; to: string[] }
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const rolledUp = (table: string, widthMs: number): Growing => ({
  table,
  widthMs,
  column: 'starts_at',
  key: { name: `${table}_once`, columns: ['sensor_id', 'starts_at'] },
  reference: { name: `${table}_sensor_id_fkey`, columns: ['sensor_id'], table: 'sensors', to: ['id'] },
})

const GROWING: Growing[] = [
  {
    table: 'readings',
    widthMs: 6 * HOUR_MS,
    column: 'measured_at',
    key: { name: 'readings_once', columns: ['sensor_id', 'measured_at'] },
    reference: {
      name: 'readings_sensor',
      columns: ['building_id', 'sensor_id'],
      table: 'sensors',
      to: ['building_id', 'id'],
    },
  },
  rolledUp('readings_five_minute', DAY_MS),
  rolledUp('readings_hourly', 28 * DAY_MS),
  {
    table: 'decisions',
    widthMs: 28 * DAY_MS,
    column: 'decided_at',
    key: { name: 'decisions_at', columns: ['room_id', 'decided_at'] },
    reference: { name: 'decisions_room_id_fkey', columns: ['room_id'], table: 'rooms', to: ['id'] },
  },
  {
    table: 'valve_windows',
    widthMs: DAY_MS,
    column: 'started_at',
    key: { name: 'valve_windows_once', columns: ['gateway_id', 'channel', 'started_at', 'source'] },
    reference: { name: 'valve_windows_gateway_id_fkey', columns: ['gateway_id'], table: 'gateways', to: ['id'] },
  },
]

/**
 * On PostgreSQL, what only grows becomes range partitions. The table of before becomes the first one, for all that is
 * older than now: not a row is copied, and a large database is up again soon.
 */
export const partitions = (engine: Engine): Migration => ({
  async up(db: Db) {
    if (engine === 'postgres') for (const growing of GROWING) await partition(db, growing)
    for (const column of ['gateway_id', 'expires_at']) {
      await db.schema.createIndex(`pairing_codes_${column}`).on('pairing_codes').column(column).execute()
    }
  },
})

async function partition(db: Db, growing: Growing): Promise<void> {
  const { table, column, key, reference } = growing
  const before = `${table}_before`
  const list = (columns: string[]) => sql.join(columns.map((name) => sql.ref(name)))
  const until = sql.lit(await endOfBefore(db, growing))
  const statements = [
    sql`alter table ${sql.table(table)} rename to ${sql.id(before)}`,
    sql`alter table ${sql.table(before)} rename constraint ${sql.id(key.name)} to ${sql.id(`${before}_once`)}`,
    sql`alter index ${sql.id(`${table}_${column}`)} rename to ${sql.id(`${before}_${column}`)}`,
    sql`create table ${sql.table(table)} (like ${sql.table(before)}) partition by range (${sql.ref(column)})`,
    sql`alter table ${sql.table(table)} attach partition ${sql.table(before)} for values from (minvalue) to (${until})`,
    sql`create table ${sql.table(`${table}_default`)} partition of ${sql.table(table)} default`,
    sql`alter table ${sql.table(table)} add constraint ${sql.id(key.name)} primary key (${list(key.columns)})`,
    sql`create index ${sql.id(`${table}_${column}`)} on ${sql.table(table)} (${sql.ref(column)})`,
    sql`alter table ${sql.table(table)} add constraint ${sql.id(reference.name)}
      foreign key (${list(reference.columns)}) references ${sql.table(reference.table)} (${list(reference.to)})
      on delete cascade`,
  ]
  for (const statement of statements) await statement.execute(db)
}

/** The first bound after now, and after every row that is there. */
async function endOfBefore(db: Db, { table, column, widthMs }: Growing): Promise<number> {
  const { rows } = await sql<{ latest: number | string | null }>`
    select max(${sql.ref(column)}) as latest from ${sql.table(table)}`.execute(db)
  const latest = Math.max(Number(rows[0]?.latest ?? 0), Date.now())
  return (Math.floor(latest / widthMs) + 1) * widthMs
}
