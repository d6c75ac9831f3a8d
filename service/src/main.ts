import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { buildApp } from './app.ts'
import { systemClock } from './clock.ts'
import { createLogger } from './logger.ts'
import type { Settings } from './settings.ts'
import { StartupError } from './startup-error.ts'
import { openStore } from './store/open.ts'
import { VERSION } from './version.ts'

export interface RunningService {
  url: string
  stop(): Promise<void>
}

/** The whole service in one process: opens, wires, listens; `stop` drains and closes. */
export async function startService(settings: Settings): Promise<RunningService> {
  const logger = createLogger(settings.log_level)
  const tls = readTls(settings)
  const store = await openStore(settings.data)
  try {
    const app = await buildApp({
      store,
      clock: systemClock,
      limits: { read: settings.rate_limit_reads, write: settings.rate_limit_writes },
      availability: { silentAfterS: settings.silent_after_s },
      logger,
      version: VERSION,
      ...(tls && { tls }),
    })
    const url = await listen(app, settings, tls !== undefined)
    return {
      url,
      async stop() {
        await app.close()
        await store.close()
      },
    }
  } catch (error) {
    await store.close()
    throw error
  }
}

async function listen(app: FastifyInstance, { host, port }: Settings, isTls: boolean): Promise<string> {
  try {
    await app.listen({ host, port })
  } catch (error) {
    throw new StartupError(whyNotListening(error as NodeJS.ErrnoException, host, port))
  }
  const address = app.server.address() as AddressInfo
  const shownHost = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return `${isTls ? 'https' : 'http'}://${shownHost}:${address.port}`
}

function whyNotListening({ code, message }: NodeJS.ErrnoException, host: string, port: number): string {
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port} on ${host} is taken by another program. Stop it, or choose another port with --port.`
    case 'EACCES':
      return `port ${port} on ${host} may not be used by this user. Choose one above 1023 with --port.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `this machine has no address ${host}. Choose another with --host.`
    default:
      return `cannot listen on ${host}:${port}: ${message}`
  }
}

function readTls({ tls_cert, tls_key }: Settings): { cert: Buffer; key: Buffer } | undefined {
  if (tls_cert === undefined && tls_key === undefined) return undefined
  if (tls_cert === undefined || tls_key === undefined) {
    throw new StartupError('TLS needs both a certificate and its key: --tls-cert FILE --tls-key FILE')
  }
  return { cert: readPem('--tls-cert', tls_cert), key: readPem('--tls-key', tls_key) }
}

function readPem(flag: string, file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    throw new StartupError(`${flag}: cannot read ${file}: ${(error as Error).message}`)
  }
}
