import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { type RowMaker, rowMaker } from '../column-names.ts'
import { StoreError, type StoreErrorKind } from '../store.ts'

export interface Statement {
  sql: string
  parameters: readonly unknown[]
}

export interface StatementResult {
  rows: Record<string, unknown>[]
  affectedRows: number
}

interface Prepared {
  statement: StatementSync
  returnsRows: boolean
}

interface PreparedRead {
  statement: StatementSync
  make: RowMaker<unknown>
}

export const BUSY_TIMEOUT_MS = 5000
const LOOK_AGAIN_AFTER_MS = 10
const BUSY = 5
const KEPT_STATEMENTS = 300

/** One connection with its prepared statements. Several processes may hold one to the same file. */
export class Connection {
  readonly #db: DatabaseSync
  readonly #prepared = new Map<string, Prepared>()
  readonly #reads = new Map<string, PreparedRead>()

  private constructor(db: DatabaseSync) {
    this.#db = db
  }

  static open(file: string): Connection {
    return translated(() => {
      const db = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true })
      switchToWal(db)
      db.exec('pragma synchronous = full')
      return new Connection(db)
    })
  }

  run({ sql, parameters }: Statement): StatementResult {
    return translated(() => {
      const { statement, returnsRows } = this.#prepare(sql)
      const values = parameters as SQLInputValue[]
      if (returnsRows) {
        const rows = statement.all(...values) as Record<string, unknown>[]
        return { rows, affectedRows: rows.length }
      }
      return { rows: [], affectedRows: Number(statement.run(...values).changes) }
    })
  }

  /** Rows with the names of the code: columns are renamed once for each statement. */
  read<Row>({ sql, parameters }: Statement): Row[] {
    return translated(() => {
      const { statement, make } = this.#prepareRead(sql)
      const rows = statement.all(...(parameters as SQLInputValue[])) as unknown as unknown[][]
      return rows.map(make as RowMaker<Row>)
    })
  }

  close(): void {
    this.#db.close()
  }

  #prepareRead(sql: string): PreparedRead {
    const kept = this.#reads.get(sql)
    if (kept) return kept
    if (this.#reads.size >= KEPT_STATEMENTS) this.#reads.clear()
    const statement = this.#db.prepare(sql)
    statement.setReturnArrays(true)
    const prepared = { statement, make: rowMaker(statement.columns().map(({ name }) => name)) }
    this.#reads.set(sql, prepared)
    return prepared
  }

  #prepare(sql: string): Prepared {
    const kept = this.#prepared.get(sql)
    if (kept) return kept
    if (this.#prepared.size >= KEPT_STATEMENTS) this.#prepared.clear()
    const statement = this.#db.prepare(sql)
    const prepared = { statement, returnsRows: statement.columns().length > 0 }
    this.#prepared.set(sql, prepared)
    return prepared
  }
}

/** The one statement that SQLite does not let wait: of a new file, where another process is at the same. */
function switchToWal(db: DatabaseSync): void {
  for (let waitedMs = 0; ; waitedMs += LOOK_AGAIN_AFTER_MS) {
    try {
      db.exec('pragma journal_mode = wal')
      return
    } catch (error) {
      if ((error as { errcode?: number }).errcode !== BUSY || waitedMs >= BUSY_TIMEOUT_MS) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_AGAIN_AFTER_MS)
    }
  }
}

/** SQLite's result codes that mean something to the service; the lowest byte is the primary code. */
const EXTENDED: Record<number, StoreErrorKind> = {
  787: 'foreign_key',
  1299: 'not_null',
  1555: 'unique',
  2067: 'unique',
}
const PRIMARY: Record<number, StoreErrorKind> = {
  5: 'unavailable',
  6: 'unavailable',
  8: 'unavailable',
  10: 'unavailable',
  13: 'unavailable',
  14: 'unavailable',
  11: 'damaged',
  26: 'damaged',
}

function translated<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    const code = (error as { errcode?: number }).errcode
    if (code === undefined) throw error
    throw new StoreError(EXTENDED[code] ?? PRIMARY[code & 0xff] ?? 'other', (error as Error).message)
  }
}
