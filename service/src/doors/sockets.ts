import { existsSync, readFileSync } from 'node:fs'
import { BlockList, isIPv6, type Server, type Socket } from 'node:net'
import type { Logger } from 'pino'
import { systemClock } from '../base/clock.ts'
import { networkOf } from '../base/network.ts'
import { OncePerMinute } from '../base/once-per-minute.ts'

export interface ConnectionLimits {
  /** Open at a time in all. */
  most: number
  /** Open at a time from one address; 0 for no limit. Proxies are not counted: they speak for many. */
  mostPerAddress: number
  /** Addresses and ranges with commas between. */
  trustedProxies?: string
}

/** Sockets are limited in all and by address, so that no caller takes the connections of everybody. */
export function limitSockets(
  server: Server,
  { most, mostPerAddress, trustedProxies }: ConnectionLimits,
  logger: Logger,
  onRefused: () => void = () => {},
): void {
  const refuse = refusing(logger, onRefused)
  const isProxy = matcherOf(trustedProxies)
  const byAddress = new Map<string, number>()
  let open = 0
  server.prependListener('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? ''
    const network = networkOf(address)
    const own = byAddress.get(network) ?? 0
    if (open >= most) return refuse(socket, `connections refused: ${most} are open`)
    if (mostPerAddress > 0 && own >= mostPerAddress && !isProxy(address))
      return refuse(socket, `connections refused: ${mostPerAddress} are open from one address`)
    open++
    byAddress.set(network, own + 1)
    socket.once('close', () => {
      open--
      const left = (byAddress.get(network) ?? 1) - 1
      if (left > 0) byAddress.set(network, left)
      else byAddress.delete(network)
    })
  })
}

/** Destroys the socket; the reason is logged once a minute. */
export function refusing(logger: Logger, onRefused: () => void = () => {}): (socket: Socket, why: string) => void {
  const complaints = new OncePerMinute(systemClock)
  return (socket, why) => {
    if (complaints.isFirst(why)) logger.warn({ address: socket.remoteAddress }, why)
    onRefused()
    socket.destroy()
  }
}

export type AddressMatcher = (address: string) => boolean

/** Whether an address is one of these, or in one of these ranges, with commas between. */
export function matcherOf(ranges: string | undefined): AddressMatcher {
  const list = new BlockList()
  for (const entry of ranges?.split(',').map((each) => each.trim()) ?? []) {
    const [address = '', bits] = entry.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return (address) => list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}

/** Half of the files this process may open is left for the database, the broker and the disk. */
export function mostConnections(wanted: number): number {
  const openFiles = existsSync(LINUX_LIMITS) ? openFilesOnLinux() : openFilesByReport()
  return Number.isFinite(openFiles) ? Math.min(wanted, Math.floor(openFiles * 0.4)) : wanted
}

const LINUX_LIMITS = '/proc/self/limits'

const openFilesOnLinux = (): number =>
  Number(/^Max open files +(\d+)/m.exec(readFileSync(LINUX_LIMITS, 'utf8'))?.[1] ?? Number.POSITIVE_INFINITY)

/** Anywhere else, but slowly. */
function openFilesByReport(): number {
  Object.assign(process.report, { excludeNetwork: true })
  const report = process.report.getReport() as { userLimits?: { open_files?: { soft: number | string } } }
  return Number(report.userLimits?.open_files?.soft)
}
