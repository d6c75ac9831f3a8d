import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import type { Clock } from '../../base/clock.ts'
import { StartupError } from '../../base/startup-error.ts'
import { hasLocalTls, type LocalTls, openLocalTls } from './local.ts'
import { type Machine, thisMachine } from './names.ts'

/** What a server shows, and proves that it is its own. */
export interface ServerTls {
  cert: string | Buffer
  key: string | Buffer
}

/** The settings of the service that say which certificate it shows. */
interface TlsChoice {
  data: string
  tls_cert?: string
  tls_key?: string
}

/** One's own certificate beats that of the local authority; without either there is no TLS. */
export async function chooseTls(
  settings: TlsChoice,
  clock: Clock,
): Promise<{ server: ServerTls; local?: LocalCertificate } | undefined> {
  const given = readGiven(settings)
  if (given) return { server: given }
  if (!hasLocalTls(settings.data)) return undefined
  const local = await LocalCertificate.open(settings.data, clock)
  return { server: local.now.server, local }
}

/** The local authority's certificate of a running service, kept fresh. */
export class LocalCertificate {
  readonly #dataDir: string
  readonly #clock: Clock
  readonly #machine: () => Machine
  #now: LocalTls

  private constructor(dataDir: string, clock: Clock, machine: () => Machine, now: LocalTls) {
    this.#dataDir = dataDir
    this.#clock = clock
    this.#machine = machine
    this.#now = now
  }

  static async open(dataDir: string, clock: Clock, machine = thisMachine): Promise<LocalCertificate> {
    const now = await openLocalTls(dataDir, { machine: machine(), nowMs: clock.now() })
    return new LocalCertificate(dataDir, clock, machine, now)
  }

  get now(): LocalTls {
    return this.#now
  }

  /** The certificate to use from now on, when there is another than before: renewed here, or by another process. */
  async refresh(): Promise<ServerTls | undefined> {
    const before = this.#now.server.cert
    this.#now = await openLocalTls(this.#dataDir, { machine: this.#machine(), nowMs: this.#clock.now() })
    return this.#now.server.cert === before ? undefined : this.#now.server
  }
}

function readGiven({ tls_cert, tls_key }: Omit<TlsChoice, 'data'>): ServerTls | undefined {
  if (tls_cert === undefined && tls_key === undefined) return undefined
  if (tls_cert === undefined || tls_key === undefined) {
    throw new StartupError('TLS needs both a certificate and its key: --tls-cert FILE --tls-key FILE')
  }
  const tls = { cert: readPem('--tls-cert', tls_cert), key: readPem('--tls-key', tls_key) }
  try {
    createSecureContext(tls)
  } catch (error) {
    throw new StartupError(
      `--tls-cert ${tls_cert} with --tls-key ${tls_key} cannot be used: ${(error as Error).message}`,
    )
  }
  return tls
}

function readPem(flag: string, file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    throw new StartupError(`${flag}: cannot read ${file}: ${(error as Error).message}`)
  }
}
