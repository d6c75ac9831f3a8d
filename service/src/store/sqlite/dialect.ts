import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { Statement, StatementResult } from './connection.ts'

/** Runs one compiled query somewhere: on this thread's connection, or in the writer. */
type Execute = (query: CompiledQuery) => StatementResult | Promise<StatementResult>

/** Kysely's own SQLite dialect expects another library; this one runs on whatever `execute` does. */
export const sqliteDialect = (execute: Execute): Dialect => ({
  createAdapter: () => new ExecutingAdapter(),
  createDriver: () => new ExecutingDriver(execute),
  createIntrospector: (db) => new SqliteIntrospector(db),
  createQueryCompiler: () => new SqliteQueryCompiler(),
})

class ExecutingAdapter extends SqliteAdapter {
  /** SQLite can create tables within a transaction: a migration is there as a whole or not at all. */
  override get supportsTransactionalDdl() {
    return true
  }

  /** Else Kysely runs one query at a time: no two writes would share a flush, and reads would wait for them. */
  override get supportsMultipleConnections() {
    return true
  }
}

class ExecutingDriver implements Driver {
  readonly #execute: Execute

  constructor(execute: Execute) {
    this.#execute = execute
  }

  async init() {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return new ExecutingConnection(this.#execute)
  }

  // A deferred transaction fails at once under a second writer; an immediate one waits its turn.
  beginTransaction = () => this.#raw('begin immediate')
  commitTransaction = () => this.#raw('commit')
  rollbackTransaction = () => this.#raw('rollback')

  async releaseConnection() {}

  async destroy() {}

  async #raw(sql: string): Promise<void> {
    await this.#execute({ sql, parameters: [] } as Statement as CompiledQuery)
  }
}

class ExecutingConnection implements DatabaseConnection {
  readonly #execute: Execute

  constructor(execute: Execute) {
    this.#execute = execute
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { rows, affectedRows } = await this.#execute(query)
    return { rows: rows as R[], numAffectedRows: BigInt(affectedRows) }
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    yield await this.executeQuery<R>(query)
  }
}
