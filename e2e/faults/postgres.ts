import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { postgresPrograms } from '../../bench/src/load/processes.ts'

const NOBODY = 65_534
const RETRY_MS = 200
const START_LIMIT_MS = 60_000

/** A PostgreSQL that commits to its disk, and can be killed. */
export class PostgresUnderFire {
  readonly #folder: string
  readonly #port: number
  readonly #programs = postgresPrograms()

  constructor(folder: string, port: number) {
    this.#folder = folder
    this.#port = port
    chmodSync(folder, 0o700)
    if (isRoot) chownSync(folder, NOBODY, NOBODY)
    this.#run('initdb', ['-D', this.#data, '-A', 'trust', '-U', 'postgres', '--no-sync'])
  }

  get #data(): string {
    return join(this.#folder, 'data')
  }

  get pid(): number {
    return Number(readFileSync(join(this.#data, 'postmaster.pid'), 'utf8').split('\n', 1)[0])
  }

  url(port = this.#port): string {
    return `postgres://postgres@127.0.0.1:${port}/postgres`
  }

  /** Again and again: after a kill its children still hold what it needs for a moment. */
  async start(): Promise<void> {
    const settings = ['listen_addresses=127.0.0.1', 'shared_buffers=32MB', 'max_wal_size=64MB', 'min_wal_size=32MB']
    const options = `-p ${this.#port} -k ${this.#folder} ${settings.map((each) => `-c ${each}`).join(' ')}`
    for (const giveUp = Date.now() + START_LIMIT_MS; ; await sleep(RETRY_MS)) {
      try {
        this.#run('pg_ctl', ['-D', this.#data, '-o', options, '-l', '/dev/null', '-w', 'start'])
        return
      } catch (error) {
        if (await this.#answers()) return
        if (Date.now() > giveUp) throw error
      }
    }
  }

  kill(): void {
    process.kill(this.pid, 'SIGKILL')
  }

  stop(mode: 'fast' | 'immediate'): void {
    this.#run('pg_ctl', ['-D', this.#data, '-m', mode, '-w', 'stop'])
  }

  /** With all that it stored. */
  remove(): void {
    this.stop('immediate')
    rmSync(this.#folder, { recursive: true, force: true })
  }

  async #answers(): Promise<boolean> {
    const client = new pg.Client({ connectionString: this.url(), connectionTimeoutMillis: 1000 })
    client.on('error', () => {})
    try {
      await client.connect()
      await client.end()
      return true
    } catch {
      return false
    }
  }

  #run(name: string, args: string[]): void {
    const identity = isRoot ? { uid: NOBODY, gid: NOBODY } : {}
    execFileSync(join(this.#programs, name), args, { ...identity, cwd: this.#folder, stdio: 'ignore' })
  }
}

/** PostgreSQL refuses to run as root. */
const isRoot = process.getuid?.() === 0
