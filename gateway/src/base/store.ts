import { mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { GatewayError } from './error.ts'
import type { Log } from './log.ts'

const SCHEMA = `
CREATE TABLE IF NOT EXISTS message (
  boot TEXT NOT NULL, n INTEGER NOT NULL, heard_mono_ms REAL NOT NULL, heard_wall_ms REAL NOT NULL,
  clock_ok INTEGER NOT NULL, count INTEGER NOT NULL, readings TEXT NOT NULL,
  PRIMARY KEY (boot, n)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS kept (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
`

/** 64 MB of 4 KiB pages: a Raspberry Pi's memory is wanted elsewhere too. */
const MEMORY_PAGES = 16_384

/** The gateway's disk. A card that fails must not stop the heating: then everything goes on in memory. */
export class Store {
  readonly #folder: string
  readonly #log: Log
  #db: DatabaseSync | undefined

  constructor(folder: string, log: Log) {
    this.#folder = folder
    this.#log = log
  }

  open(): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    const file = join(this.#folder, 'gateway.db')
    this.#db = this.#openUnlessBroken(file, (why) => {
      const aside = `${file}.broken-${Date.now()}`
      this.#log(`${file} cannot be read (${why}); moved to ${aside}, starting afresh`)
      for (const suffix of ['', '-wal', '-shm']) moveIfThere(file + suffix, aside + suffix)
      return this.#openUnlessBroken(file, (whyAgain) => this.#inMemory(whyAgain))
    })
  }

  #openUnlessBroken(file: string, otherwise: (why: string) => DatabaseSync): DatabaseSync {
    try {
      return openDatabase(file)
    } catch (error) {
      if (isLocked(error)) throw new GatewayError(`another agent runs with the folder ${this.#folder} already`)
      return otherwise(messageOf(error))
    }
  }

  #inMemory(why: string): DatabaseSync {
    this.#log(`the disk failed (${why}): readings are kept in memory only until the next start`)
    return openDatabase(':memory:')
  }

  close(): void {
    this.#db?.close()
    this.#db = undefined
  }

  /** Runs the work, in memory from now on if the disk refuses it. */
  run<T>(work: (db: DatabaseSync) => T): T {
    if (!this.#db) throw new Error('the store is not open')
    try {
      return work(this.#db)
    } catch (error) {
      if (!isSqliteError(error)) throw error
      this.#db = this.#inMemory(messageOf(error))
      return work(this.#db)
    }
  }

  get<T>(key: string): T | undefined {
    const row = this.run((db) => db.prepare('SELECT value FROM kept WHERE key = ?').get(key))
    return row && this.parsed<T>(row.value, key)
  }

  /** Undefined where the disk has damaged the text: SQLite does not notice a bit that is flipped within it. */
  parsed<T>(text: unknown, what: string): T | undefined {
    try {
      return JSON.parse(String(text)) as T
    } catch (error) {
      this.#log(`${what} is damaged on the disk (${messageOf(error)}) and is left out`)
      return undefined
    }
  }

  put(key: string, value: unknown): void {
    this.run((db) => db.prepare('INSERT OR REPLACE INTO kept VALUES (?, ?)').run(key, JSON.stringify(value)))
  }
}

function openDatabase(file: string): DatabaseSync {
  const db = new DatabaseSync(file)
  try {
    // Held until the process ends, however it ends: one agent for one folder.
    db.exec('PRAGMA locking_mode = EXCLUSIVE')
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 256')
    db.exec('PRAGMA cache_size = -1024')
    if (file === ':memory:') db.exec(`PRAGMA max_page_count = ${MEMORY_PAGES}`)
    db.exec(SCHEMA)
    const broken = db.prepare('PRAGMA quick_check(1)').get()
    if (broken && Object.values(broken)[0] !== 'ok') throw new Error(String(Object.values(broken)[0]))
  } catch (error) {
    db.close()
    throw error
  }
  return db
}

function moveIfThere(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch {
    // The side files are there only after a crash.
  }
}

const isSqliteError = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR'

const SQLITE_BUSY = 5

const isLocked = (error: unknown) => isSqliteError(error) && (error as { errcode?: number }).errcode === SQLITE_BUSY

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
