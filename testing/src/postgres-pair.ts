import { execFile, spawn } from 'node:child_process'
import { appendFileSync, chmodSync, chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { eventually } from './eventually.ts'
import { freePort } from './ports.ts'
import { postgresPrograms } from './postgres-server.ts'
import { endProcess } from './programs.ts'

const NOBODY = 65_534
/** Of the service, unless a test chooses another. */
const DATABASE = 'postgres'

/** Resolves when the program has ended; meanwhile the test goes on, and so does a line to the server that runs in it. */
type Run = (program: string, args: string[]) => Promise<void>

/** A PostgreSQL server of a test's own, in a folder of its own. */
class Server {
  readonly port: number
  readonly data: string
  readonly #run: Run

  constructor(port: number, data: string, run: Run) {
    this.port = port
    this.data = data
    this.#run = run
  }

  get url(): string {
    return `postgres://postgres@127.0.0.1:${this.port}/${DATABASE}`
  }

  get pid(): number {
    return Number(readFileSync(join(this.data, 'postmaster.pid'), 'utf8').split('\n', 1)[0])
  }

  start(): Promise<void> {
    const options = `-p ${this.port} -k ${this.data} -c listen_addresses=127.0.0.1 -c fsync=off -c max_connections=100`
    return this.#run('pg_ctl', ['-D', this.data, '-o', options, '-l', `${this.data}.log`, '-w', 'start'])
  }

  /** `immediate` is what a power cut leaves behind. */
  stop(mode: 'fast' | 'immediate'): Promise<void> {
    return this.#run('pg_ctl', ['-D', this.data, '-m', mode, '-w', 'stop'])
  }

  promote(): Promise<void> {
    return this.#run('pg_ctl', ['-D', this.data, '-w', 'promote'])
  }

  async ask<Row extends pg.QueryResultRow>(sql: string): Promise<Row[]> {
    const client = new pg.Client({ connectionString: this.url, connectionTimeoutMillis: 5000 })
    await client.connect()
    try {
      return (await client.query<Row>(sql)).rows
    } finally {
      await client.end()
    }
  }
}

/** A primary whose commits wait for its standby. */
export class PostgresPair {
  readonly primary: Server
  readonly standby: Server
  readonly #folder: string

  private constructor(primary: Server, standby: Server, folder: string) {
    this.primary = primary
    this.standby = standby
    this.#folder = folder
  }

  /** `prepare` may put another disk where the primary is to have its data. */
  static async start(prepare: (primaryData: string) => void = () => {}): Promise<PostgresPair> {
    const programs = postgresPrograms()
    if (programs === undefined) throw new Error('PostgreSQL is missing. On Debian: apt-get install postgresql')
    const folder = mkdtempSync(join(tmpdir(), 'hypocaust-pair-'))
    chmodSync(folder, 0o700)
    // PostgreSQL refuses to run as root.
    const isRoot = process.getuid?.() === 0
    if (isRoot) chownSync(folder, NOBODY, NOBODY)
    const identity = isRoot ? { uid: NOBODY, gid: NOBODY } : {}
    const run: Run = async (program, args) => {
      await promisify(execFile)(join(programs, program), args, { ...identity, cwd: folder })
    }
    const primary = new Server(await freePort(), join(folder, 'primary'), run)
    const standby = new Server(await freePort(), join(folder, 'standby'), run)
    prepare(primary.data)
    await run('initdb', ['-D', primary.data, '-A', 'trust', '-U', 'postgres', '--no-sync'])
    appendFileSync(join(primary.data, 'pg_hba.conf'), 'host replication postgres 127.0.0.1/32 trust\n')
    await primary.start()
    const from = ['-h', '127.0.0.1', '-p', String(primary.port), '-U', 'postgres']
    await run('pg_basebackup', ['-D', standby.data, ...from, '-R', '-X', 'stream', '-c', 'fast', '--no-sync'])
    await standby.start()
    const pair = new PostgresPair(primary, standby, folder)
    await primary.ask("alter system set synchronous_standby_names = '*'")
    await primary.ask('select pg_reload_conf()')
    await pair.replicating()
    return pair
  }

  /** Commits are confirmed again. */
  replicating(): Promise<boolean> {
    return eventually(async () => {
      const rows = await this.primary.ask("select from pg_stat_replication where sync_state = 'sync'")
      return rows.length > 0
    })
  }

  /** A base backup so slow that it does not end by itself. */
  startBackup(): { end(): Promise<void> } {
    const from = ['-h', '127.0.0.1', '-p', String(this.primary.port), '-U', 'postgres']
    const folder = join(this.#folder, 'backup')
    const args = ['-D', folder, ...from, '-X', 'stream', '-c', 'fast', '--max-rate=32k', '--no-sync']
    const child = spawn(join(postgresPrograms() ?? '', 'pg_basebackup'), args, { stdio: 'ignore' })
    return { end: () => endProcess(child, 'SIGKILL') }
  }

  async stop(): Promise<void> {
    for (const server of [this.standby, this.primary]) {
      try {
        await server.stop('immediate')
      } catch {
        // The test has stopped it already.
      }
    }
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
