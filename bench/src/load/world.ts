import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { cpuSecondsOf } from './cpu.ts'
import { type Database, openPostgresDatabase, openSqliteFile } from './database.ts'
import type { Engine } from './options.ts'
import { type OwnServer, type ServiceChoice, type ServiceProcess, startService } from './processes.ts'

/** A database of its own, with the service before it. */
export class World {
  readonly engine: Engine
  readonly service: ServiceProcess
  readonly #choice: ServiceChoice
  readonly #postgres: OwnServer | undefined

  private constructor(engine: Engine, service: ServiceProcess, choice: ServiceChoice, postgres: OwnServer | undefined) {
    this.engine = engine
    this.service = service
    this.#choice = choice
    this.#postgres = postgres
  }

  static async open(
    engine: Engine,
    postgres: OwnServer | undefined,
    rest: Pick<ServiceChoice, 'role' | 'mqttUrl' | 'program' | 'env'> = {},
  ): Promise<World> {
    const folder = mkdtempSync(join(tmpdir(), 'hypocaust-load-'))
    const databaseUrl = postgres && engine === 'postgres' ? await createDatabase(postgres.url) : undefined
    const choice = { folder, ...rest, ...(databaseUrl !== undefined && { databaseUrl }) }
    return new World(engine, await startService(choice), choice, databaseUrl === undefined ? undefined : postgres)
  }

  database(): Promise<Database> {
    const { databaseUrl, folder } = this.#choice
    return databaseUrl === undefined ? Promise.resolve(openSqliteFile(folder)) : openPostgresDatabase(databaseUrl)
  }

  /** One more process on the same database. */
  another(): Promise<ServiceProcess> {
    return startService(this.#choice)
  }

  /** Seconds so far; SQLite works inside the service and is counted there. */
  databaseCpuS(): number {
    return this.#postgres ? cpuSecondsOf(this.#postgres.pid) : 0
  }

  async close(): Promise<void> {
    await this.service.stop()
    rmSync(this.#choice.folder, { recursive: true, force: true })
  }
}

let databases = 0

async function createDatabase(server: string): Promise<string> {
  const client = new pg.Client({ connectionString: `${server}/postgres` })
  await client.connect()
  const name = `load_${++databases}`
  await client.query(`create database ${name}`)
  await client.end()
  return `${server}/${name}`
}
