import { hostname, type NetworkInterfaceInfo, networkInterfaces } from 'node:os'
import type { CiaoService } from '@homebridge/ciao'
import type { Logger } from 'pino'
import { StartupError } from '../base/startup-error.ts'
import { repeat } from '../processes/repeat.ts'

interface AnnouncementParts {
  /** Where the service listens; 0.0.0.0 and :: are all addresses of the machine. */
  address: string
  port: number
  isTls: boolean
  version: string
  /** Tells a service that has moved from another one. */
  installation: string
  logger: Logger
  /** What people see in a list of what was found; the machine's name is in it unless given. */
  name?: string
}

type Interfaces = NodeJS.Dict<NetworkInterfaceInfo[]>

const LOOK_AT_NETWORK_EVERY_MS = 60_000

/** Publishes on the local network where the service is, as `_hypocaust._tcp`, and withdraws it when it stops. */
export class Announcement {
  readonly #parts: AnnouncementParts
  #turn: Promise<void> = Promise.resolve()
  #announcedOn: string | undefined
  #announced: { service: CiaoService; leave(): Promise<void> } | undefined
  #looking: { stop(): Promise<void> } | undefined

  constructor(parts: AnnouncementParts) {
    this.#parts = parts
  }

  /** The network is asked first whether the name is free, which takes a second; nobody waits for that. */
  start(): void {
    this.#turn = this.#follow()
    const again = () => {
      this.#turn = this.#turn.then(() => this.#follow())
      return this.#turn
    }
    this.#looking = repeat(LOOK_AT_NETWORK_EVERY_MS, again, this.#parts.logger)
  }

  async stop(): Promise<void> {
    await this.#looking?.stop()
    await this.#turn
    await this.#announced?.leave()
  }

  /** Announces again when interfaces have come or gone: after a boot the network is often later than the service. */
  async #follow(): Promise<void> {
    const { address, logger } = this.#parts
    const reachable = reachableOn(address, networkInterfaces())
    const names = Object.keys(reachable)
    if (names.join() === this.#announcedOn) return
    this.#announcedOn = names.join()
    try {
      await this.#announced?.leave()
      this.#announced = undefined
      if (names.length === 0) {
        logger.warn(
          { address },
          'not announced: no network interface has such an address; announced as soon as one has',
        )
        return
      }
      this.#announced = await this.#announce(names)
      const addresses = Object.values(reachable).flat()
      logger.info({ name: this.#announced.service.getFQDN(), addresses }, 'announced on the network')
    } catch (err) {
      logger.warn({ err }, 'the service could not be announced on the network; it runs without')
    }
  }

  async #announce(names: string[]) {
    const { port, isTls, version, installation, name = `Hypocaust ${machineName()}` } = this.#parts
    // Only here: it changes how the whole process writes the traces of errors.
    const { getResponder } = (await import('@homebridge/ciao')).default
    // Always by name: left to itself it misses every interface that `ip` lists as name@peer, in containers and VLANs.
    const responder = getResponder({ interface: names })
    const service = responder.createService({
      name,
      type: 'hypocaust',
      port,
      txt: { version, path: '/v1', tls: isTls ? '1' : '0', id: installation },
    })
    const leave = async () => {
      await service.end()
      await responder.shutdown()
    }
    await service.advertise()
    return { service, leave }
  }
}

/** Interfaces by name with those of their addresses at which the service answers; loopback only when it listens there. */
function reachableOn(address: string, interfaces: Interfaces): Record<string, string[]> {
  const isEverywhere = address === '0.0.0.0' || address === '::'
  const answers = (info: NetworkInterfaceInfo) =>
    isEverywhere ? !info.internal && (address === '::' || info.family === 'IPv4') : info.address === address
  const found = Object.entries(interfaces).map(([name, infos = []]) => [
    name,
    infos.filter(answers).map((info) => info.address),
  ])
  return Object.fromEntries(found.filter(([, addresses]) => addresses?.length))
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
