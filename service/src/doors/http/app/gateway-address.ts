import { isIPv4 } from 'node:net'
import { inUrl } from '../../tls/names.ts'

/** What is known of how the service is reached. */
export interface Reach {
  /** The address people use, where the operator has named it. */
  publicUrl?: string | undefined
  /** Where the service listens. */
  listensOn?: string | undefined
  /** All addresses of the machine. */
  addresses: string[]
}

/**
 * The address for a gateway. A person who set up the service on its own machine has it open as localhost, which on a
 * gateway is the gateway itself.
 */
export function addressForGateway(origin: string, { publicUrl, listensOn, addresses }: Reach): string {
  const url = new URL(origin)
  if (!isLoopback(url.hostname)) return origin
  if (publicUrl !== undefined) return new URL(publicUrl).origin
  const host = listensOn === '0.0.0.0' || listensOn === '::' ? addresses.find(isOnNetwork) : listensOn
  if (host === undefined || isLoopback(host)) return origin
  url.hostname = inUrl(host)
  return url.origin
}

const isLoopback = (host: string): boolean => /^(localhost|127\.[\d.]+|\[?::1\]?)$/.test(host)

const isOnNetwork = (address: string): boolean =>
  isIPv4(address) && !isLoopback(address) && !address.startsWith('169.254.')
