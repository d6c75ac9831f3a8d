import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { type House, houseOf, rowsOf } from './houses.ts'

type Row = Record<string, string | number | boolean | null>

/** The service's database seen from outside, to fill it and to weigh it. */
export interface Database {
  insert(table: string, rows: Row[]): Promise<void>
  run(statement: string): Promise<void>
  bytes(): Promise<number>
  close(): Promise<void>
}

const HOUSES_AT_ONCE = 1000

export async function fill(
  database: Database,
  count: number,
  done: (share: number) => void,
  roomCount?: number,
): Promise<House[]> {
  const houses = Array.from({ length: count }, (_, i) => houseOf(i, roomCount))
  for (let first = 0; first < count; first += HOUSES_AT_ONCE) {
    for (const [table, rows] of rowsOf(houses.slice(first, first + HOUSES_AT_ONCE), first))
      await database.insert(table, rows)
    done(Math.min(1, (first + HOUSES_AT_ONCE) / count))
  }
  return houses
}

export function openSqliteFile(folder: string): Database {
  const db = new DatabaseSync(join(folder, 'hypocaust.db'), { timeout: 5000 })
  return {
    async insert(table, rows) {
      const columns = Object.keys(rows[0] ?? {})
      const insert = db.prepare(
        `insert into "${table}" (${columns.map(quoted)}) values (${columns.map(() => '?').join(', ')})`,
      )
      db.exec('begin immediate')
      for (const row of rows)
        insert.run(...Object.values(row).map((value) => (typeof value === 'boolean' ? Number(value) : value)))
      db.exec('commit')
    },
    async run(statement) {
      db.exec(statement)
    },
    async bytes() {
      db.exec('pragma wal_checkpoint(truncate)')
      const { page_count: pages } = db.prepare('pragma page_count').get() as { page_count: number }
      const { page_size: size } = db.prepare('pragma page_size').get() as { page_size: number }
      return pages * size
    },
    async close() {
      db.close()
    },
  }
}

export async function openPostgresDatabase(url: string): Promise<Database> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  // What is filled in is whole; checking every reference would take most of the time.
  await client.query('set session_replication_role = replica')
  return {
    async insert(table, rows) {
      const columns = Object.keys(rows[0] ?? {}).map(quoted)
      await client.query(
        `insert into "${table}" (${columns}) select ${columns} from json_populate_recordset(null::"${table}", $1)`,
        [JSON.stringify(rows)],
      )
    },
    async run(statement) {
      await client.query(statement)
    },
    async bytes() {
      await client.query('checkpoint')
      const { rows } = await client.query('select pg_database_size(current_database()) as bytes')
      return Number(rows[0].bytes)
    },
    async close() {
      await client.query('analyze')
      await client.end()
    },
  }
}

const quoted = (name: string): string => `"${name}"`
