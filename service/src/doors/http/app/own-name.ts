import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { errors } from '../../../base/errors.ts'

/** Endings that only a local network gives. */
const LOCAL = /\.(local|lan|home|internal|localhost|home\.arpa|fritz\.box)$/

/**
 * Whether a name can be this service's own. A page on the internet can make its own name lead to this machine (DNS
 * rebinding) and act as if it were at home here; nobody else can give a name of the local network or an address.
 */
export function isOwnName(hostname: string, publicHost: string | undefined): boolean {
  const name = hostname.toLowerCase()
  const isLocal = !name.includes('.') || LOCAL.test(name)
  return name === publicHost || isIP(name.replace(/^\[|\]$/g, '')) !== 0 || isLocal
}

/** Home Assistant has let its user in by a name of its own, so its ingress may be reached by any. */
export function requireOwnName({ basePath, hostname }: FastifyRequest, publicHost: string | undefined): void {
  if (basePath === '' && !isOwnName(hostname, publicHost)) throw errors.foreignHost(hostname)
}
