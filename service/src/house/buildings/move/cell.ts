import pg from 'pg'
import { StartupError } from '../../../base/startup-error.ts'
import { connectingTo } from '../../../store/postgres/hosts.ts'
import { typesAsNumbers } from '../../../store/postgres/pool.ts'

export type Row = Record<string, unknown>
export type Stage = 'arriving' | 'leaving' | 'left' | 'moved'

/** No statement of a move takes longer; one that hangs must not hold a building. */
const STATEMENT_LIMIT_MS = 60_000
const CONNECT_LIMIT_MS = 10_000

/** One of the two databases of a move, on a connection of its own, whose writes the database does not refuse. */
export class Cell {
  readonly #client: pg.Client
  readonly #columns = new Map<string, string[]>()
  readonly #keys = new Map<string, string[]>()

  private constructor(client: pg.Client) {
    this.#client = client
  }

  static async open(url: string, name: string): Promise<Cell> {
    const { Client, connectionString } = connectingTo(url)
    const client = new Client({
      connectionString,
      application_name: 'hypocaust building move',
      connectionTimeoutMillis: CONNECT_LIMIT_MS,
      keepAlive: true,
      types: typesAsNumbers,
    })
    // A connection that breaks fails the statement under way, which is enough.
    client.on('error', () => {})
    try {
      await client.connect()
    } catch (error) {
      throw new StartupError(`cannot connect to ${name}: ${error instanceof Error ? error.message : error}`)
    }
    // Times are compared as texts.
    await client.query(`set timezone = 'UTC'; set statement_timeout = ${STATEMENT_LIMIT_MS}`)
    await client.query("set hypocaust.moves_buildings = 'on'")
    return new Cell(client)
  }

  close(): Promise<void> {
    return this.#client.end()
  }

  async rows<R extends Row>(sql: string, values: unknown[] = []): Promise<R[]> {
    return (await this.#client.query<R>(sql, values)).rows
  }

  /** How many rows were written. */
  async write(sql: string, values: unknown[] = []): Promise<number> {
    return (await this.#client.query(sql, values)).rowCount ?? 0
  }

  /** What is written in it is written as a whole; what is read in it is of one moment. */
  async together<T>(work: () => Promise<T>, begin = 'begin'): Promise<T> {
    await this.#client.query(begin)
    try {
      const result = await work()
      await this.#client.query('commit')
      return result
    } catch (error) {
      await this.#client.query('rollback').catch(() => {})
      throw error
    }
  }

  async columnsOf(table: string): Promise<string[]> {
    const known = this.#columns.get(table)
    if (known) return known
    const rows = await this.rows<{ name: string }>(
      `select column_name as name from information_schema.columns
        where table_schema = current_schema() and table_name = $1 order by column_name`,
      [table],
    )
    const columns = rows.map(({ name }) => name)
    this.#columns.set(table, columns)
    return columns
  }

  /** The columns of the table's primary key, or of the unique index in its place. */
  async keyOf(table: string): Promise<string[]> {
    const known = this.#keys.get(table)
    if (known) return known
    const [found] = await this.rows<{ columns: string[] }>(
      `select array(select attname::text from unnest(indkey) with ordinality as part (number, place)
          join pg_attribute on attrelid = indrelid and attnum = number order by place) as columns
        from pg_index where indrelid = $1::regclass and indisunique and indpred is null
        order by indisprimary desc, indexrelid limit 1`,
      [pg.escapeIdentifier(table)],
    )
    if (!found) throw new Error(`the table ${table} has no key`)
    this.#keys.set(table, found.columns)
    return found.columns
  }

  async stageOf(buildingId: string): Promise<Stage | null> {
    const [row] = await this.rows<{ stage: Stage }>('select stage from building_moves where building_id = $1', [
      buildingId,
    ])
    return row?.stage ?? null
  }

  async has(buildingId: string): Promise<boolean> {
    return (await this.rows('select from buildings where id = $1', [buildingId])).length > 0
  }

  async epoch(): Promise<number> {
    const [row] = await this.rows<{ value: string }>("select value from meta where name = 'epoch'")
    return Number(row?.value)
  }
}
