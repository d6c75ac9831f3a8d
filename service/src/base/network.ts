import { isIPv6 } from 'node:net'

/** What one person has of the internet: an address, or with IPv6 the network of 64 bits that a line is given. */
export function networkOf(address: string): string {
  const [plain = ''] = address.split('%')
  if (!isIPv6(plain)) return plain
  const groups = groupsOf(plain)
  return mappedIPv4(groups) ?? `${groups.slice(0, 4).join(':')}::/64`
}

/** `::ffff:192.0.2.7` is an address of IPv4, however it is written. */
function mappedIPv4(groups: string[]): string | undefined {
  if (groups.slice(0, 6).join(':') !== '0:0:0:0:0:ffff') return undefined
  return groups
    .slice(6)
    .flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 0xff])
    .join('.')
}

/** All eight, without leading zeros. */
function groupsOf(address: string): string[] {
  const written = address.replace(
    /(\d+)\.(\d+)\.(\d+)\.(\d+)$/,
    (_, ...bytes: string[]) => `${groupOf(bytes[0], bytes[1])}:${groupOf(bytes[2], bytes[3])}`,
  )
  const [head = [], tail = []] = written.split('::').map((part) => part.split(':').filter((group) => group !== ''))
  const missing = Array<string>(8 - head.length - tail.length).fill('0')
  return [...head, ...missing, ...tail].map((group) => Number.parseInt(group, 16).toString(16))
}

const groupOf = (high = '0', low = '0'): string => (Number(high) * 256 + Number(low)).toString(16)
