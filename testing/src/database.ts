import { randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { inject } from 'vitest'
import { openStore } from '../../service/src/store/open.ts'
import type { PoolLimits } from '../../service/src/store/postgres/pool.ts'
import type { Store } from '../../service/src/store/store.ts'
import { temporaryFolder } from './folder.ts'
import { PREPARED_DATABASE } from './postgres-server.ts'

/** Every test of the store and of what stands on it runs once for each. */
export type Engine = Store['engine']
export const ENGINES: Engine[] = inject('postgresUrl') === '' ? ['sqlite'] : ['sqlite', 'postgres']

export interface TestStore {
  store: Store
  folder: string
  /** Opens the same database once more, as another process would. */
  openAgain(limits?: Partial<PoolLimits>): Promise<Store>
  /** Of a PostgreSQL; an empty text for SQLite. */
  url: string
  /** A bare connection to it. */
  connect(): Promise<{ execute(sql: string): Promise<void>; end(): Promise<void> }>
  close(): Promise<void>
}

export async function openTestStore(engine: Engine): Promise<TestStore> {
  const folder = temporaryFolder()
  const database = engine === 'postgres' ? await createDatabase(PREPARED_DATABASE) : undefined
  if (!database) {
    prepared ??= migratedSqlite()
    writeFileSync(join(folder.path, SQLITE_FILE), await prepared)
  }
  const openAgain = (limits: Partial<PoolLimits> = {}) => openStore(folder.path, database?.url, limits)
  const store = await openAgain()
  return {
    store,
    folder: folder.path,
    openAgain,
    url: database?.url ?? '',
    connect: () => (database ? connectPostgres(database.url) : connectSqlite(join(folder.path, SQLITE_FILE))),
    async close() {
      await store.close()
      await database?.drop()
      folder.remove()
    },
  }
}

const SQLITE_FILE = 'hypocaust.db'

/** Migrated once: every store begins as a copy of it. */
let prepared: Promise<Buffer> | undefined

async function migratedSqlite(): Promise<Buffer> {
  const folder = temporaryFolder()
  await (await openStore(folder.path)).close()
  const file = readFileSync(join(folder.path, SQLITE_FILE))
  folder.remove()
  return file
}

async function connectSqlite(file: string) {
  const db = new DatabaseSync(file, { timeout: 5000 })
  return { execute: async (sql: string) => db.exec(sql), end: async () => db.close() }
}

async function connectPostgres(url: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return {
    async execute(sql: string) {
      await client.query(sql)
    },
    end: () => client.end(),
  }
}

/** Empty, unless a template is named. */
export async function createDatabase(template = 'template0'): Promise<{ url: string; drop(): Promise<void> }> {
  const server = inject('postgresUrl')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const run = async (statement: string) => {
    const client = await connectPostgres(`${server}/postgres`)
    await client.execute(statement)
    await client.end()
  }
  await run(`create database ${name} template ${template}`)
  return { url: `${server}/${name}`, drop: () => run(`drop database ${name} with (force)`) }
}
