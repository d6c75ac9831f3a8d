import type { Engine } from '@hypocaust/testing/database.ts'
import pg from 'pg'
import { Connection, type Statement } from '../src/store/sqlite/connection.ts'
import type { StatementBatch } from '../src/store/sqlite/messages.ts'
import { Writer } from '../src/store/sqlite/writer.ts'

export interface Recording {
  /** Every text once, with values it was run with. */
  statements: Map<string, readonly unknown[]>
  stop(): void
}

/** Listens to what really goes to the database, until stopped. */
export const recordStatements = (engine: Engine): Recording => {
  const statements = new Map<string, readonly unknown[]>()
  const keep = (sql: string, parameters: readonly unknown[] = []) => {
    if (/^\s*(select|insert|update|delete|with)\b/i.test(sql)) statements.set(sql, parameters)
  }
  const stop = engine === 'sqlite' ? listenToSqlite(keep) : listenToPostgres(keep)
  return { statements, stop }
}

type Keep = (sql: string, parameters?: readonly unknown[]) => void

function listenToPostgres(keep: Keep): () => void {
  const { query } = pg.Client.prototype
  pg.Client.prototype.query = function (this: pg.Client, ...args: [string | pg.QueryConfig, unknown[]?]) {
    const [asked, values] = args
    if (typeof asked === 'string') keep(asked, values)
    else if (typeof asked.text === 'string') keep(asked.text, asked.values)
    return (query as (...all: unknown[]) => unknown).apply(this, args)
  } as typeof query
  return () => {
    pg.Client.prototype.query = query
  }
}

function listenToSqlite(keep: Keep): () => void {
  const { run } = Connection.prototype
  const { submit } = Writer.prototype
  Connection.prototype.run = function (this: Connection, statement: Statement) {
    keep(statement.sql, statement.parameters)
    return run.call(this, statement)
  }
  Writer.prototype.submit = function (this: Writer, batches: StatementBatch[]) {
    for (const { sql, parameters } of batches.flatMap(({ statements }) => statements)) keep(sql, parameters)
    return submit.call(this, batches)
  }
  return () => {
    Connection.prototype.run = run
    Writer.prototype.submit = submit
  }
}
