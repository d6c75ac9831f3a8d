import { refuseBeyond, StoreError } from '../store.ts'
import { Connection, type StatementResult } from './connection.ts'
import type { Answer, Job } from './messages.ts'

/** Each sensor has a page of its own to write to. With SQLite's 2 MB, 400 sensors read theirs anew for each batch. */
const CACHE_KB = 16_000
/**
 * A page that was written several times is copied into the database once. SQLite's 1,000 pages are 2 seconds of messages
 * from 100 gateways; up to 4,062 are found by one look into the log's index.
 */
const CHECKPOINT_PAGES = 4000

/** The one connection of a process that writes. Jobs that arrive together share a transaction, and so one flush. */
export class JobWriter {
  readonly #connection: Connection

  constructor(file: string) {
    this.#connection = Connection.open(file)
    this.#execute(`pragma cache_size = -${CACHE_KB}`)
    this.#execute(`pragma wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
  }

  commit(jobs: Job[]): Answer[] {
    if (jobs.length === 0) return []
    try {
      this.#execute('begin immediate')
      const answers = this.#together(jobs) ?? jobs.map((job) => this.#attempt(job))
      this.#execute('commit')
      return answers
    } catch (error) {
      this.#rollback()
      return jobs.map(({ id }) => ({ id, error: plain(error) }))
    }
  }

  close(): void {
    this.#connection.close()
  }

  /**
   * As a rule no job fails. If one does, the transaction begins anew and nothing has been written: a savepoint would copy
   * each page before it changes.
   */
  #together(jobs: Job[]): Answer[] | undefined {
    try {
      return jobs.map((job) => ({ id: job.id, results: this.#carriedOut(job) }))
    } catch {
      this.#rollback()
      this.#execute('begin immediate')
      return undefined
    }
  }

  #carriedOut({ statements, limits }: Job): StatementResult[] {
    const results = statements.map((statement) => this.#connection.run(statement))
    for (const limit of limits) refuseBeyond(limit, this.#connection.run(limit.count).rows)
    return results
  }

  /** One job within the shared transaction: if it fails, the others still stand. */
  #attempt(job: Job): Answer {
    const { id } = job
    this.#execute('savepoint job')
    try {
      const results = this.#carriedOut(job)
      this.#execute('release job')
      return { id, results }
    } catch (error) {
      this.#takeBack(error)
      return { id, error: plain(error) }
    }
  }

  /**
   * After some errors, as those of the disk, SQLite has rolled everything back by itself. Then no job of the transaction
   * stands, and each may be tried again, whatever this one was refused for.
   */
  #takeBack(error: unknown): void {
    try {
      this.#execute('rollback to job')
      this.#execute('release job')
    } catch {
      throw new StoreError('unavailable', error instanceof Error ? error.message : String(error))
    }
  }

  #execute(sql: string): void {
    this.#connection.run({ sql, parameters: [] })
  }

  #rollback(): void {
    try {
      this.#execute('rollback')
    } catch {
      // SQLite has already rolled back by itself, or the transaction never began.
    }
  }
}

function plain(error: unknown): { kind: StoreError['kind']; message: string } {
  if (error instanceof StoreError) return { kind: error.kind, message: error.message }
  return { kind: 'other', message: error instanceof Error ? error.message : String(error) }
}
