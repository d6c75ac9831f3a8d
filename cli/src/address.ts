import { networkInterfaces } from 'node:os'
import { hasLocalTls, inUrl, type Settings } from '@hypocaust/service'

type Listening = Pick<Settings, 'data' | 'host' | 'port' | 'tls_cert'> & Partial<Pick<Settings, 'public_url'>>

/** An address another machine can use: the public one where it is set, else where the service listens. */
export function serviceAddress(settings: Listening): string {
  if (settings.public_url !== undefined) return settings.public_url.replace(/\/$/, '')
  const isTls = settings.tls_cert !== undefined || hasLocalTls(settings.data)
  return `${isTls ? 'https' : 'http'}://${inUrl(seenHost(settings))}:${settings.port}`
}

/** Whether that address leads only to this machine itself. */
export const isLoopback = (address: string): boolean =>
  /^(localhost|127\.[\d.]+|\[?::1\]?)$/.test(new URL(address).hostname)

function seenHost({ host }: Pick<Settings, 'host'>): string {
  const isEverywhere = host === '0.0.0.0' || host === '::'
  return isEverywhere ? (addressOutside() ?? host) : host
}

/** By what the rest of the network reaches this machine. */
export function addressOutside(): string | undefined {
  const addresses = Object.values(networkInterfaces()).flat()
  return addresses.find((address) => address && !address.internal && address.family === 'IPv4')?.address
}
