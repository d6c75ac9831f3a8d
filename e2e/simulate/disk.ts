import type { EventEmitter } from 'node:events'
import { appendFileSync, copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Random } from '@hypocaust/simulator'
import type { Process, Scheduler } from './scheduler.ts'

export type DiskWork = 'read' | 'write' | 'flush'

/** How an operation fails. */
export type DiskFailure =
  /** An error, and nothing has happened. */
  | 'refused'
  /** An error, and the transaction is rolled back by the database itself. */
  | 'rolled back'
  /** An error, although it is on disk: as when the flush is reported to have failed. */
  | 'done all the same'
  /** The process ends there. */
  | 'crash before'
  | 'crash after'

const IO_ERROR = 10

class DiskError extends Error {
  readonly code = 'ERR_SQLITE_ERROR'
  readonly errcode = IO_ERROR
  constructor() {
    super('disk I/O error')
  }
}

interface Opened {
  process: Process
  file: string
  close(): void
}

/** The disks of all machines, and what fails on them. */
export class Disk {
  readonly #scheduler: Scheduler
  readonly #random: Random
  readonly #crash: (process: Process) => void
  #opened: Opened[] = []
  readonly counts: Record<DiskWork, number> = { read: 0, write: 0, flush: 0 }
  /** Asked before every operation of a process. */
  failureOf: (process: Process, work: DiskWork) => DiskFailure | undefined = () => undefined

  constructor(scheduler: Scheduler, random: Random, crash: (process: Process) => void) {
    this.#scheduler = scheduler
    this.#random = random
    this.#crash = crash
  }

  opened(file: string, close: () => void): Process {
    const process = this.#scheduler.current
    this.#opened.push({ process, file, close })
    return process
  }

  operate<T>(process: Process, work: DiskWork, operation: () => T, rollBack: () => void): T {
    if (!process.isAlive) throw new DiskError()
    this.counts[work]++
    const failure = this.failureOf(process, work)
    if (failure === undefined) return operation()
    if (failure === 'done all the same' || failure === 'crash after') operation()
    if (failure === 'rolled back') rollBack()
    if (failure.startsWith('crash')) this.#crash(process)
    throw new DiskError()
  }

  /** The files as a process leaves them that ends at once, in another folder: what it did not commit is in no file. */
  leave(process: Process, from: string, to: string): void {
    mkdirSync(to, { recursive: true })
    const mine = this.#opened.filter((each) => each.process === process)
    const files = new Set(mine.map(({ file }) => file).filter((file) => dirname(file) === from && existsSync(file)))
    for (const file of files) {
      const copy = join(to, file.slice(from.length + 1))
      copyFileSync(file, copy)
      if (!existsSync(`${file}-wal`)) continue
      copyFileSync(`${file}-wal`, `${copy}-wal`)
      // A write that the end has torn.
      if (this.#random.uniform() < 0.3) appendFileSync(`${copy}-wal`, Buffer.alloc(1000, 7))
    }
    this.closeAll(process)
    rmSync(from, { recursive: true, force: true })
  }

  closeAll(process: Process): void {
    for (const each of this.#opened) if (each.process === process) each.close()
    this.#opened = this.#opened.filter((each) => each.process !== process)
  }

  /** The writer's thread, whose work takes a moment. */
  writer(file: string, worker: EventEmitter): { receive(message: unknown): void } {
    const process = this.#scheduler.current
    const take = () => this.#scheduler.in(this.#random.uniform() * 4, commit, process)
    let waiting: unknown[] = []
    let writer: { commit(jobs: unknown[]): unknown[]; close(): void } | undefined
    const commit = () => {
      const messages = waiting
      waiting = []
      writer ??= this.openWriter(file)
      const jobs = messages.flatMap((message) => (message === 'close' ? [] : (message as unknown[])))
      const answers = jobs.length > 0 ? writer.commit(jobs) : []
      this.#scheduler.in(this.#random.uniform() * 4, () => worker.emit('message', answers), process)
      if (!messages.includes('close')) return
      writer.close()
      this.#scheduler.in(5, () => worker.emit('exit', 0), process)
    }
    return {
      receive: (message) => {
        if (waiting.push(message) === 1) take()
      },
    }
  }

  /** Set once the service's code is loaded. */
  openWriter: (file: string) => { commit(jobs: unknown[]): unknown[]; close(): void } = () => {
    throw new Error('no writer')
  }
}

const kindOf = (sql: string): DiskWork | undefined => {
  if (/^\s*(begin|savepoint|rollback|pragma)/i.test(sql)) return undefined
  if (/^\s*(commit|release)/i.test(sql)) return 'flush'
  return /^\s*(select|with)/i.test(sql) ? 'read' : 'write'
}

/** Connections of the checks, which no fault concerns. */
const unwatched = new WeakSet<DatabaseSync>()

export function openUnwatched(file: string): DatabaseSync {
  const db = new DatabaseSync(file, { readOnly: true, timeout: 1000 })
  unwatched.add(db)
  return db
}

/** Puts a disk that may fail behind every connection to SQLite. */
export function watchDatabases(diskNow: () => Disk | undefined): void {
  const { exec, prepare, close } = DatabaseSync.prototype
  const known = new WeakMap<DatabaseSync, { disk: Disk; process: Process }>()
  const knownOf = (db: DatabaseSync) => {
    const disk = diskNow()
    if (!disk || unwatched.has(db)) return undefined
    const found = known.get(db)
    if (found) return found
    const file = db.location()
    // What is in memory is on no disk.
    if (file === null) return undefined
    const process = disk.opened(file, () => {
      if (db.isOpen) close.call(db)
    })
    known.set(db, { disk, process })
    return { disk, process }
  }
  const operate = <T>(db: DatabaseSync, sql: string, operation: () => T): T => {
    const on = knownOf(db)
    const work = kindOf(sql)
    if (!on || !work) return operation()
    return on.disk.operate(on.process, work, operation, () => {
      if (db.isTransaction) exec.call(db, 'rollback')
    })
  }
  Object.assign(DatabaseSync.prototype, {
    exec(this: DatabaseSync, sql: string) {
      operate(this, sql, () => exec.call(this, sql))
    },
    prepare(this: DatabaseSync, sql: string) {
      const statement = prepare.call(this, sql)
      if (!knownOf(this)) return statement
      const { all, get, run } = statement
      const watched = <Given extends unknown[], Result>(operation: (...given: Given) => Result) =>
        ((...given: Given) => operate(this, sql, () => operation.apply(statement, given))) as typeof operation
      return Object.assign(statement, { all: watched(all), get: watched(get), run: watched(run) })
    },
    close(this: DatabaseSync) {
      if (this.isOpen) close.call(this)
    },
  })
}
