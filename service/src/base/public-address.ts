import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { BlockList, isIP, type LookupFunction } from 'node:net'

const NOT_PUBLIC = blockList('ipv4', [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
])
/** Of IPv6 only what is handed out as public, without the parts that lead into IPv4 or nowhere. */
const PUBLIC_V6 = blockList('ipv6', [['2000::', 3]])
const NOT_PUBLIC_V6 = blockList('ipv6', [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
])

function blockList(family: 'ipv4' | 'ipv6', nets: [string, number][]): BlockList {
  const list = new BlockList()
  for (const [net, bits] of nets) list.addSubnet(net, bits, family)
  return list
}

export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !NOT_PUBLIC.check(address, 'ipv4')
  return isIP(address) === 6 && PUBLIC_V6.check(address, 'ipv6') && !NOT_PUBLIC_V6.check(address, 'ipv6')
}

/** Whether a name can be one of the internet; where it leads is judged when it is connected to. */
export const isPublicName = (hostname: string): boolean =>
  /^(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]+$/.test(hostname) &&
  !/\.(?:local|localhost|internal|lan|home\.arpa)$/.test(hostname)

/** Where the service may be sent by an account. */
export interface Reach {
  /** Also loopback, private addresses, and plain HTTP. */
  privateAddresses: boolean
}

/** Judged by the form of an address: one that is written as a number is never looked up. */
export function acceptsAddress(address: string, { privateAddresses }: Reach): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, hostname, username, password } = new URL(address)
  if ((protocol !== 'https:' && protocol !== 'http:') || username !== '' || password !== '') return false
  const host = hostname.replace(/^\[|\]$/g, '')
  return privateAddresses || (protocol === 'https:' && (isIP(host) === 0 ? isPublicName(host) : isPublicAddress(host)))
}

/** For a request to such an address. */
export const guardOf = ({ privateAddresses }: Reach): { lookup?: LookupFunction } =>
  privateAddresses ? {} : { lookup: publicLookup }

/** A name leads to an address that is not one of the internet. */
export class NotPublic extends Error {}

/** The address that was judged is the one connected to: a name that changes its mind in between gains nothing. */
export const publicLookup: LookupFunction = (hostname, options, done) => {
  addressesOf(hostname).then(
    (found) => {
      const [first] = found
      if (!first) return done(new Error(`${hostname} has no address`), '', 4)
      if (!found.every(({ address }) => isPublicAddress(address)))
        return done(new NotPublic(`${hostname} leads to an address that is not public`), '', 4)
      if (options.all) done(null, found)
      else done(null, first.address, first.family)
    },
    (error: Error) => done(error, '', 4),
  )
}

const PATIENCE = { timeout: 2000, tries: 2 }

/**
 * Asked of the name servers directly, as strangers choose these names: of the system's own look-ups two are made at a
 * time, and all others of the process wait. A resolver for each, so that a change of resolv.conf counts at once.
 */
async function addressesOf(hostname: string): Promise<LookupAddress[]> {
  const resolver = new Resolver(PATIENCE)
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  if (v4.status === 'rejected' && v6.status === 'rejected') throw v4.reason
  return [
    ...(v4.status === 'fulfilled' ? v4.value.map((address) => ({ address, family: 4 })) : []),
    ...(v6.status === 'fulfilled' ? v6.value.map((address) => ({ address, family: 6 })) : []),
  ]
}
