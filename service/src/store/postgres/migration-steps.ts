import { setTimeout as pause } from 'node:timers/promises'
import {
  type CompiledQuery,
  type DatabaseConnection,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import type pg from 'pg'
import { noteDone } from '../migrations/names.ts'
import { isDeadlock, isLockTimeout } from './errors.ts'
import { foreignKeysApart } from './foreign-keys-apart.ts'

/**
 * Behind a step that waits for a lock, everything waits that needs the table: so it gives up soon, and tries again after
 * those it held up. It is less than PostgreSQL's `deadlock_timeout`: of two that wait for each other the step gives way.
 */
const GIVES_WAY_AFTER_MS = 500
const PAUSE_MS = 250

/** Where a migration has got to, under this name in `meta`, as JSON. */
const PROGRESS = 'migration'

/**
 * Carries out a migration while other processes use the tables. Every statement is a transaction of its own and locks
 * one table that is in use, so it never holds one while it waits for another: whatever order others take them in, they
 * get out of its way. How many are done is written with each, so that a migration that was broken off goes on there.
 */
export class MigrationSteps implements DatabaseConnection {
  readonly #client: pg.PoolClient
  readonly #name: string
  readonly #done: number
  #next = 0

  private constructor(client: pg.PoolClient, name: string, done: number) {
    this.#client = client
    this.#name = name
    this.#done = done
  }

  static async runMigration(pool: pg.Pool, name: string, up: (db: Kysely<unknown>) => Promise<void>): Promise<void> {
    const client = await pool.connect()
    try {
      await client.query(`set lock_timeout = ${GIVES_WAY_AFTER_MS}`)
      const steps = new MigrationSteps(client, name, await stepsDone(client, name))
      const db = steps.#database()
      await up(db)
      await noteDone(db, name)
      await client.query('set lock_timeout = 0')
    } finally {
      client.release()
    }
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    for (const each of foreignKeysApart(query)) await this.#step(each)
    return { rows: [] }
  }

  // biome-ignore lint/correctness/useYield: a migration changes, and reads nothing.
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('a migration in steps does not read')
  }

  async #step({ sql, parameters }: CompiledQuery): Promise<void> {
    const step = this.#next++
    if (step < this.#done) return
    for (;;) {
      try {
        return await this.#run(step, sql, parameters)
      } catch (error) {
        await this.#client.query('rollback')
        if (!isLockTimeout(error) && !isDeadlock(error)) throw error
        await pause(PAUSE_MS)
      }
    }
  }

  async #run(step: number, sql: string, parameters: readonly unknown[]): Promise<void> {
    await this.#client.query('begin')
    await this.#client.query(sql, [...parameters])
    await this.#client.query(
      'insert into meta (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value',
      [PROGRESS, JSON.stringify({ name: this.#name, done: step + 1 })],
    )
    await this.#client.query('commit')
  }

  #database(): Kysely<unknown> {
    return new Kysely<unknown>({
      dialect: {
        createAdapter: () => new PostgresAdapter(),
        createIntrospector: (db) => new PostgresIntrospector(db),
        createQueryCompiler: () => new PostgresQueryCompiler(),
        createDriver: () => ({
          init: async () => {},
          acquireConnection: async () => this,
          releaseConnection: async () => {},
          destroy: async () => {},
          // A step is one already.
          beginTransaction: async () => {},
          commitTransaction: async () => {},
          rollbackTransaction: async () => {},
        }),
      },
    })
  }
}

async function stepsDone(client: pg.PoolClient, name: string): Promise<number> {
  const { rows } = await client.query<{ value: string }>('select value from meta where name = $1', [PROGRESS])
  const progress = rows[0] && JSON.parse(rows[0].value)
  return progress?.name === name ? progress.done : 0
}
