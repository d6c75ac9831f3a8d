import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { StartupError } from '../../base/startup-error.ts'
import { connectingTo } from '../postgres/hosts.ts'
import { typesAsNumbers } from '../postgres/pool.ts'
import { UNFINISHED_COPY } from '../postgres/unfinished-copy.ts'
import { type ColumnKind, canonical, type Row, type TableShape } from './rows.ts'

/** Two copies at a time would be one too many; nobody else knows this number. */
const COPY_LOCK = 7062026
const LEAVING_MS = 3000
const LOOK_AGAIN_MS = 100
const FETCHED_ROWS = 5000
/** Has rows in a new database already; those of the source take their place. */
const SEEDED = ['meta']

interface CopyState {
  lastKey: unknown[] | null
  copied: number
  isDone: boolean
}

/** A PostgreSQL database to copy into. How far the copy is stands in it, written together with the rows. */
export class Target {
  readonly #client: pg.Client
  readonly #kinds = new Map<string, Map<string, ColumnKind>>()

  private constructor(client: pg.Client) {
    this.#client = client
  }

  static async open(url: string): Promise<Target> {
    const { Client, connectionString } = connectingTo(url)
    const client = new Client({
      connectionString,
      application_name: 'hypocaust migrate-store',
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
      types: typesAsNumbers,
    })
    // A connection that breaks fails the statement under way, which is enough.
    client.on('error', () => {})
    await client.connect()
    try {
      await refuseCompany(client)
      // Rows and the note of how far they are are lost together, if at all.
      await client.query('set synchronous_commit = off')
      return new Target(client)
    } catch (error) {
      await client.end()
      throw error
    }
  }

  async close(): Promise<void> {
    await this.#client.end()
  }

  async migrations(): Promise<string[]> {
    const { rows } = await this.#client.query('select name from kysely_migration order by name')
    return rows.map(({ name }) => name)
  }

  /** Takes an empty database for the copy of this source, or goes on with one that was begun. */
  async claim(identity: string, tables: TableShape[]): Promise<void> {
    const { rows } = await this.#client.query('select to_regclass($1) is not null as begun', [UNFINISHED_COPY])
    if (rows[0].begun) {
      const begun = await this.#client.query(`select source from ${UNFINISHED_COPY} limit 1`)
      if (begun.rows[0]?.source === identity) return
      throw new StartupError('the target holds an unfinished copy of another database. Empty it, or name another.')
    }
    for (const { name } of tables.filter((table) => !SEEDED.includes(table.name))) {
      const found = await this.#client.query(`select exists (select from ${quoted(name)}) as found`)
      if (found.rows[0].found) {
        throw new StartupError(`the target holds data already, in the table ${name}. Name an empty database.`)
      }
    }
    await this.#together(async () => {
      await this.#client.query(
        `create table ${UNFINISHED_COPY} (name text primary key, source text not null, last_key text,
          copied bigint not null default 0, is_done boolean not null default false)`,
      )
      for (const { name } of tables) {
        await this.#client.query(`insert into ${UNFINISHED_COPY} (name, source) values ($1, $2)`, [name, identity])
        if (SEEDED.includes(name)) await this.#client.query(`delete from ${quoted(name)}`)
      }
    })
  }

  async stateOf({ name }: TableShape): Promise<CopyState> {
    const { rows } = await this.#client.query(`select * from ${UNFINISHED_COPY} where name = $1`, [name])
    const { last_key, copied, is_done } = rows[0]
    return { lastKey: last_key === null ? null : JSON.parse(last_key), copied, isDone: is_done }
  }

  /** The rows and the note that they are there, both or neither. */
  async add(table: TableShape, rows: Row[], isDone: boolean): Promise<void> {
    const kinds = await this.kindsOf(table)
    const last = rows.at(-1)
    const lastKey = last && JSON.stringify(table.key.map((column) => last[column]))
    const values = rows.map((row) =>
      Object.fromEntries(table.columns.map((column) => [column, canonical(row[column], kinds.get(column) ?? 'plain')])),
    )
    const columns = table.columns.map(quoted).join(', ')
    await this.#together(async () => {
      await this.#client.query(
        `insert into ${quoted(table.name)} (${columns})
          select ${columns} from json_populate_recordset(null::${quoted(table.name)}, $1::json)`,
        [JSON.stringify(values)],
      )
      await this.#client.query(
        `update ${UNFINISHED_COPY} set last_key = coalesce($2, last_key), copied = copied + $3, is_done = $4
          where name = $1`,
        [table.name, lastKey, rows.length, isDone],
      )
    })
  }

  async *all({ name, columns }: TableShape): AsyncIterable<Row> {
    await this.#client.query('begin')
    const list = columns.map(quoted).join(', ')
    await this.#client.query(`declare rows no scroll cursor for select ${list} from ${quoted(name)}`)
    for (;;) {
      const { rows } = await this.#client.query(`fetch ${FETCHED_ROWS} from rows`)
      if (rows.length === 0) break
      yield* rows
    }
    await this.#client.query('commit')
  }

  async kindsOf({ name }: TableShape): Promise<Map<string, ColumnKind>> {
    const known = this.#kinds.get(name)
    if (known) return known
    const { rows } = await this.#client.query(
      'select column_name, data_type from information_schema.columns where table_schema = current_schema() and table_name = $1',
      [name],
    )
    const kinds = new Map<string, ColumnKind>(
      rows.map(({ column_name, data_type }) => [column_name, kindOf(data_type)]),
    )
    this.#kinds.set(name, kinds)
    return kinds
  }

  /** Only now may the service start on it. */
  async finish(): Promise<void> {
    await this.#client.query('analyze')
    await this.#client.query('set synchronous_commit = on')
    await this.#client.query(`drop table ${UNFINISHED_COPY}`)
  }

  async #together(work: () => Promise<void>): Promise<void> {
    await this.#client.query('begin')
    try {
      await work()
      await this.#client.query('commit')
    } catch (error) {
      await this.#client.query('rollback').catch(() => {})
      throw error
    }
  }
}

/** A connection that has just been given up counts for a moment longer. */
async function refuseCompany(client: pg.Client): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += LOOK_AGAIN_MS) {
    const company = await companyOf(client)
    if (company === null) return
    if (waitedMs >= LEAVING_MS) throw new StartupError(company)
    await setTimeout(LOOK_AGAIN_MS)
  }
}

async function companyOf(client: pg.Client): Promise<string | null> {
  const locked = await client.query('select pg_try_advisory_lock($1) as won', [COPY_LOCK])
  if (!locked.rows[0].won) return 'another copy into the target is under way'
  const { rows } = await client.query(
    "select count(*) as others from pg_stat_activity where datname = current_database() and application_name = 'hypocaust'",
  )
  return rows[0].others > 0 ? 'the service runs on the target already. Stop it first.' : null
}

const kindOf = (type: string): ColumnKind =>
  type === 'boolean' ? 'flag' : type.startsWith('timestamp') ? 'time' : 'plain'

const quoted = (name: string): string => pg.escapeIdentifier(name)
