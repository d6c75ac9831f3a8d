import { BlockList, isIP } from 'node:net'
import { hostname, networkInterfaces } from 'node:os'

/** By what a machine is reached. */
export interface Machine {
  hostname: string
  addresses: string[]
}

export const thisMachine = (): Machine => ({
  hostname: hostname(),
  addresses: Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address)),
})

/** Ends of names that only ever mean a machine nearby. */
export const LOCAL_DOMAINS = ['localhost', 'local', 'lan', 'home', 'home.arpa', 'internal', 'fritz.box']

/** Addresses that only ever mean a machine nearby, or in a private network laid over the internet. */
export const LOCAL_RANGES = [
  { address: '127.0.0.0', bits: 8 },
  { address: '10.0.0.0', bits: 8 },
  { address: '172.16.0.0', bits: 12 },
  { address: '192.168.0.0', bits: 16 },
  { address: '169.254.0.0', bits: 16 },
  { address: '100.64.0.0', bits: 10 },
  { address: '::1', bits: 128 },
  { address: 'fc00::', bits: 7 },
]

const nearby = new BlockList()
for (const { address, bits } of LOCAL_RANGES) nearby.addSubnet(address, bits, familyOf(address))

const LABEL = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?'
const DOMAIN = new RegExp(`^(?=.{1,253}$)${LABEL}(\\.${LABEL})*$`)

/** A host name or an address as a certificate can hold it; undefined when it is neither. */
export function normalName(text: string): string | undefined {
  const name = text
    .trim()
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
  return isIP(name) !== 0 || DOMAIN.test(name) ? shortAddress(name) : undefined
}

/** `FD00:0:0:0:0:0:0:2` as `fd00::2`: one way to write it, so that two can be compared. */
export const shortAddress = (name: string): string =>
  isIP(name) === 6 ? new URL(`http://[${name}]`).hostname.slice(1, -1) : name

/** A name as it stands in an address. */
export const inUrl = (name: string): string => (isIP(name) === 6 ? `[${name}]` : name)

/** Whether an authority for these names, and for what is nearby, may vouch for a name. */
export function isPermitted(name: string, authorityFor: string[]): boolean {
  if (isIP(name) !== 0) return nearby.check(name, familyOf(name)) || authorityFor.includes(name)
  return [...LOCAL_DOMAINS, ...authorityFor].some((domain) => name === domain || name.endsWith(`.${domain}`))
}

/** The machine's own names first, as a person would type them. Addresses of the wide internet change by the day, and are left out. */
export function namesOf({ hostname: own, addresses }: Machine, authorityFor: string[], also: string[]): string[] {
  const hosts = [...hostNames(own), 'localhost']
  const names = [...hosts, ...also, ...addresses].flatMap((text) => normalName(text) ?? [])
  return [...new Set(names)].filter((name) => isPermitted(name, authorityFor))
}

/** `pi.fritz.box` is also `pi`, and `pi.local` to clients that use mDNS. */
export function hostNames(hostname: string): string[] {
  const [first = ''] = hostname.split('.')
  return [...new Set([`${first}.local`, hostname, first])].flatMap((text) => normalName(text) ?? [])
}

/** Of what is known to be an address: `isIP` compiles a long pattern at its first use, which every start would pay. */
function familyOf(address: string): 'ipv4' | 'ipv6' {
  return address.includes(':') ? 'ipv6' : 'ipv4'
}
