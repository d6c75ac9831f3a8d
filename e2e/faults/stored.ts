import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { numberOf } from './codes.ts'

type Row = { address: unknown; temperature_c: unknown; n: unknown }

const QUERY =
  'select address, readings.temperature_c as temperature_c, count(*) as n from readings join sensors on sensors.id = sensor_id where readings.building_id = '

/** How often each reading of a building is stored, by its number. Looks past the service, into the database itself. */
export async function storedNumbers(database: string, buildingId: string): Promise<Map<number, number>> {
  const rows = database.startsWith('postgres:')
    ? await ofPostgres(database, buildingId)
    : ofSqlite(database, buildingId)
  return new Map(rows.map((row) => [numberOf(String(row.address), Number(row.temperature_c)), Number(row.n)]))
}

function ofSqlite(file: string, buildingId: string): Row[] {
  const db = new DatabaseSync(file, { readOnly: true, timeout: 5000 })
  try {
    return db.prepare(`${QUERY} ? group by address, readings.temperature_c`).all(buildingId) as unknown as Row[]
  } finally {
    db.close()
  }
}

async function ofPostgres(url: string, buildingId: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000, query_timeout: 10_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query<Row>(`${QUERY} $1 group by address, readings.temperature_c`, [buildingId])).rows
  } finally {
    await client.end().catch(() => {})
  }
}
