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
}

/** What `pg` calls with each of the server's messages, by names of its own. */
interface Handlers {
  callback: (error: Error | null) => void
  submit(connection: Connection): void
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
  execute(): void
  sync(): void
}

/** Of each connection: the names that the server has a statement for. */
const preparedOn = new WeakMap<pg.ClientBase, Set<string>>()

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

class StatementRun implements Handlers {
  readonly answers: Answer[] = []
  readonly #client: pg.ClientBase
  readonly #statements: readonly Sent[]
  readonly #newlyPrepared: string[] = []
  #rows: Answer['rows'] = []
  /** Replaced by pg, to count the time. */
  callback: Handlers['callback']

  constructor(client: pg.ClientBase, statements: readonly Sent[], callback: Handlers['callback']) {
    this.#client = client
    this.#statements = statements
    this.callback = callback
  }

  submit(connection: Connection): void {
    connection.stream.cork()
    for (const { sql, parameters } of this.#statements) {
      const { text, values = [], name } = prepared(this.#client, sql, parameters)
      const statement = name === undefined ? '' : `run-${name}`
      this.#prepare(connection, statement, text)
      connection.bind({ statement, values, valueMapper: utils.prepareValue })
      connection.execute()
    }
    connection.sync()
    connection.stream.uncork()
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    this.#rows.push(fields)
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.answers.push({ affectedRows: Number(text.slice(text.lastIndexOf(' ') + 1)) || 0, rows: this.#rows })
    this.#rows = []
  }

  /** Which of the statements had been prepared by then is not known. */
  handleError(error: Error): void {
    const known = preparedOn.get(this.#client)
    for (const name of this.#newlyPrepared) known?.delete(name)
    this.callback(error)
  }

  handleReadyForQuery(): void {
    this.callback(null)
  }

  #prepare(connection: Connection, name: string, text: string): void {
    const known = preparedOn.get(this.#client) ?? new Set()
    preparedOn.set(this.#client, known)
    if (known.has(name)) return
    if (name !== '') {
      // Of a run that failed: the server does nothing where there is no such statement.
      connection.close({ type: 'S', name })
      known.add(name)
      this.#newlyPrepared.push(name)
    }
    connection.parse({ name, text })
  }
}
