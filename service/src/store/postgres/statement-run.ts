import type pg from 'pg'
import utils from 'pg/lib/utils.js'
import { prepared } from './pool.ts'

export interface Sent {
  sql: string
  parameters: readonly unknown[]
}

export interface Answer {
  affectedRows: number
  /** As texts. */
  rows: (string | null)[][]
  /** Of the rows; the same list each time a prepared statement is run again on its connection. */
  columns: Column[]
}

export interface Column {
  name: string
  dataTypeID: number
}

/** What `pg` calls with each of the server's messages, by names of its own. */
interface Handlers {
  callback: (error: Error | null) => void
  submit(connection: Connection): void
  handleRowDescription(message: { fields: Column[] }): void
  handleDataRow(message: { fields: (string | null)[] }): void
  handleCommandComplete(message: { text: string }): void
  handleError(error: Error): void
  handleReadyForQuery(): void
}

/** The part of pg's connection that a query of one's own is given. */
interface Connection {
  stream: { cork(): void; uncork(): void }
  close(statement: { type: 'S'; name: string }): void
  parse(statement: { name: string; text: string }): void
  bind(values: { statement: string; values: unknown[]; valueMapper: typeof utils.prepareValue }): void
  describe(portal: { type: 'P'; name: '' }): void
  execute(): void
  sync(): void
}

interface Prepared {
  /** The server's; empty where it forgets the statement with the next one. */
  name: string
  /** Described when it was prepared. */
  columns: Column[]
}

/** Of each connection, by their texts. */
const preparedOn = new WeakMap<pg.ClientBase, Map<string, Prepared>>()

/**
 * Statements that the server takes and answers as one: a query for each would be answered, received and awaited each by
 * itself. Outside of a transaction they are one. After a failure the server passes over the rest.
 */
export function runAtOnce(client: pg.ClientBase, statements: readonly Sent[]): Promise<Answer[]> {
  return new Promise((resolve, reject) => {
    const run = new StatementRun(client, statements, (error) => (error ? reject(error) : resolve(run.answers)))
    client.query(run as unknown as pg.Submittable)
  })
}

export class StatementRun implements Handlers {
  readonly statements: readonly Sent[]
  readonly answers: Answer[] = []
  readonly #client: pg.ClientBase
  readonly #prepared: Map<string, Prepared>
  /** Of each statement. */
  readonly #used: Prepared[] = []
  readonly #newlyPrepared: string[] = []
  #rows: Answer['rows'] = []
  /** Replaced by pg, to count the time. */
  callback: Handlers['callback']

  constructor(client: pg.ClientBase, statements: readonly Sent[], callback: Handlers['callback']) {
    this.statements = statements
    this.#client = client
    this.#prepared = preparedOn.get(client) ?? new Map()
    preparedOn.set(client, this.#prepared)
    this.callback = callback
  }

  submit(connection: Connection): void {
    connection.stream.cork()
    for (const { sql, parameters } of this.statements) {
      const { text, values = [], name } = prepared(this.#client, sql, parameters)
      const known = this.#prepared.get(sql)
      const used = known ?? this.#prepare(connection, name === undefined ? '' : `run-${name}`, text)
      connection.bind({ statement: used.name, values, valueMapper: utils.prepareValue })
      if (!known) connection.describe({ type: 'P', name: '' })
      connection.execute()
      this.#used.push(used)
    }
    connection.sync()
    connection.stream.uncork()
  }

  handleRowDescription({ fields }: { fields: Column[] }): void {
    const described = this.#used[this.answers.length]
    if (described) described.columns = fields
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    this.#rows.push(fields)
  }

  handleCommandComplete({ text }: { text: string }): void {
    const affectedRows = Number(text.slice(text.lastIndexOf(' ') + 1)) || 0
    const { columns = [] } = this.#used[this.answers.length] ?? {}
    this.answers.push({ affectedRows, rows: this.#rows, columns })
    this.#rows = []
  }

  /** Which of the statements had been prepared by then is not known. */
  handleError(error: Error): void {
    for (const sql of this.#newlyPrepared) this.#prepared.delete(sql)
    this.callback(error)
  }

  handleReadyForQuery(): void {
    this.callback(null)
  }

  #prepare(connection: Connection, name: string, text: string): Prepared {
    const statement: Prepared = { name, columns: [] }
    if (name !== '') {
      // Of a run that failed: the server does nothing where there is no such statement.
      connection.close({ type: 'S', name })
      this.#prepared.set(text, statement)
      this.#newlyPrepared.push(text)
    }
    connection.parse({ name, text })
    return statement
  }
}
