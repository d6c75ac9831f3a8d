import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { HouseFile } from '@hypocaust/domain'
import { initLocalTls, openStore, type Store, thisMachine } from '@hypocaust/service'
import { LAKESIDE } from '@hypocaust/testing/houses.ts'
import { freePort } from '@hypocaust/testing/ports.ts'
import { programOf } from '@hypocaust/testing/program-of.ts'
import { PostgresUnderFire } from '../faults/postgres.ts'
import { Supervised } from '../faults/processes.ts'
import { PASSWORD, type SettledHouse, settle } from '../settle.ts'

/** With a small heap, garbage that is not yet collected cannot look like a leak, and a leak ends the process. */
const HEAP_MB = 128

const houseNumber = (n: number): HouseFile => ({
  ...LAKESIDE,
  rooms: [
    {
      name: 'Bath',
      floor_type: 'screed',
      sensor: `a4:c1:38:00:${n
        .toString(16)
        .padStart(4, '0')
        .replace(/..(?=.)/, '$&:')}`,
      valves: [{ gateway: 'cellar', channel: 1 }],
    },
  ],
})

async function authorityIn(dataDir: string): Promise<string> {
  const { authority } = await initLocalTls(dataDir, { machine: thisMachine(), nowMs: Date.now() })
  return authority.cert
}

/** The service as a process: it ends at a crash and at an unhandled rejection, and its memory can be read. */
export class Target {
  readonly folder: string
  readonly process: Supervised
  readonly httpPort: number
  readonly mqttPort: number
  /** The authority that vouches for it, where it is reached over TLS. */
  readonly authority: string | undefined
  readonly #postgres: PostgresUnderFire | undefined
  #houses = 0
  #signIns = 0

  private constructor(parts: {
    httpPort: number
    mqttPort: number
    postgresPort?: number
    folder: string
    authority?: string
    isAsInstalled: boolean
  }) {
    const { httpPort, mqttPort, postgresPort, folder, authority, isAsInstalled } = parts
    this.folder = folder
    this.authority = authority
    this.httpPort = httpPort
    this.mqttPort = mqttPort
    this.#postgres =
      postgresPort === undefined
        ? undefined
        : new PostgresUnderFire(mkdtempSync(join(tmpdir(), 'hypocaust-fuzz-postgres-')), postgresPort)
    const flags = [
      '--data',
      'data',
      '--port',
      String(httpPort),
      '--mqtt-port',
      String(mqttPort),
      '--log-level',
      'error',
    ]
    this.process = new Supervised({
      program: process.execPath,
      args: [...(isAsInstalled ? [] : [`--max-old-space-size=${HEAP_MB}`]), programOf('hypocaust'), 'serve', ...flags],
      cwd: this.folder,
      env: {
        ...(!isAsInstalled && { HYPOCAUST_RATE_LIMIT_READS: '0', HYPOCAUST_RATE_LIMIT_WRITES: '0' }),
        HYPOCAUST_TRUSTED_PROXIES: '127.0.0.1',
        HYPOCAUST_OAUTH_REGISTRATION: 'true',
        ...(this.#postgres && { HYPOCAUST_DATABASE_URL: this.#postgres.url() }),
      },
      port: httpPort,
    })
  }

  /** Without budgets and with a small heap, unless it is about what people have. */
  static async start(engine: Store['engine'], { tls = false, isAsInstalled = false } = {}): Promise<Target> {
    const folder = mkdtempSync(join(tmpdir(), 'hypocaust-fuzz-'))
    const target = new Target({
      folder,
      isAsInstalled,
      httpPort: await freePort(),
      mqttPort: await freePort(),
      ...(engine === 'postgres' && { postgresPort: await freePort() }),
      ...(tls && { authority: await authorityIn(join(folder, 'data')) }),
    })
    await target.#postgres?.start()
    await target.process.start()
    return target
  }

  get url(): string {
    return `${this.authority === undefined ? 'http' : 'https'}://127.0.0.1:${this.httpPort}`
  }

  get residentMegabytes(): number {
    const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${this.process.pid}/status`, 'utf8')) ?? []
    return Number(kilobytes) / 1024
  }

  /** Another owner with a house, made past the interface: the fuzzer may have removed the last one. */
  async newOwner(): Promise<SettledHouse & { email: string }> {
    const n = this.#houses++
    const email = `owner-${n}@example.org`
    return { email, ...(await this.withStore((store) => settle(store, email, houseNumber(n)))) }
  }

  /** Past the interface. */
  async withStore<T>(work: (store: Store) => Promise<T>): Promise<T> {
    const store = await openStore(join(this.folder, 'data'), this.#postgres?.url())
    try {
      return await work(store)
    } finally {
      await store.close()
    }
  }

  /** The cookie of a new session. */
  async signIn(email: string): Promise<string> {
    // From an address of its own: the guesses of other cases are throttled by theirs.
    const address = `198.51.100.${this.#signIns++ % 250}`
    const headers = { 'content-type': 'application/json', origin: this.url, 'x-forwarded-for': address }
    const body = JSON.stringify({ email, password: PASSWORD })
    const answer = await fetch(`${this.url}/app/session`, { method: 'POST', headers, body })
    if (!answer.ok) throw new Error(`sign-in: ${answer.status} ${await answer.text()}`)
    return answer.headers
      .getSetCookie()
      .map((cookie) => cookie.split(';', 1)[0])
      .join('; ')
  }

  async stop(): Promise<void> {
    await this.process.end('SIGTERM')
    this.#postgres?.remove()
    rmSync(this.folder, { recursive: true, force: true })
  }
}
