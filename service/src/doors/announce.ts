import { hostname } from 'node:os'
import type { CiaoService } from '@homebridge/ciao'
import type { Logger } from 'pino'
import { StartupError } from '../base/startup-error.ts'

export interface AnnouncementParts {
  /** Where the service listens; 0.0.0.0 and :: are all addresses of the machine. */
  address: string
  port: number
  isTls: boolean
  version: string
  logger: Logger
  /** What people see in a list of what was found; the machine's name is in it unless given. */
  name?: string
}

/** Tells the local network where the service is, as `_hypocaust._tcp`, and takes leave when it stops. */
export class Announcement {
  readonly #parts: AnnouncementParts
  #announced: Promise<{ service: CiaoService; leave(): Promise<void> }> | undefined

  constructor(parts: AnnouncementParts) {
    this.#parts = parts
  }

  /** The network is asked first whether the name is free, which takes a second; nobody waits for that. */
  start(): void {
    const { logger } = this.#parts
    this.#announced = this.#announce()
    this.#announced.then(
      ({ service }) => logger.info({ name: service.getFQDN() }, 'announced on the network'),
      (err) => logger.warn({ err }, 'the service could not be announced on the network; it runs without'),
    )
  }

  async stop(): Promise<void> {
    const announced = await this.#announced?.catch(() => undefined)
    await announced?.leave()
  }

  async #announce() {
    const { address, port, isTls, version, name = `Hypocaust ${machineName()}` } = this.#parts
    // Only here: it changes how the whole process writes the traces of errors.
    const { getResponder } = (await import('@homebridge/ciao')).default
    const isEverywhere = address === '0.0.0.0' || address === '::'
    const responder = getResponder(isEverywhere ? {} : { interface: address })
    const service = responder.createService({
      name,
      type: 'hypocaust',
      port,
      txt: { version, path: '/v1', tls: isTls ? '1' : '0' },
    })
    await service.advertise()
    const leave = async () => {
      await service.end()
      await responder.shutdown()
    }
    return { service, leave }
  }
}

/** An operator who turns announcements on wants to be found by others. */
export function refuseToAnnounceLoopback(address: string): void {
  if (!/^127\.|^::1$/.test(address)) return
  throw new StartupError(
    `HYPOCAUST_ANNOUNCE=1, but nobody else on the network can reach ${address}. Listen on all addresses with --host 0.0.0.0, or leave the announcement out.`,
  )
}

/** Programs that show the name cut it at a dot. */
const machineName = (): string => hostname().split('.', 1)[0] ?? ''
