import { isIPv6 } from 'node:net'

/** What one person has of the internet: an address, or with IPv6 the network of 64 bits that a line is given. */
export function networkOf(address: string): string {
  const [plain = ''] = address.split('%')
  if (!isIPv6(plain)) return plain
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1]
  if (mapped !== undefined) return mapped
  return `${groupsOf(plain).slice(0, 4).join(':')}::/64`
}

/** All eight, without leading zeros. */
function groupsOf(address: string): string[] {
  const written = address.replace(/\d+\.\d+\.\d+\.\d+$/, '0:0')
  const [head = [], tail = []] = written.split('::').map((part) => part.split(':').filter((group) => group !== ''))
  const missing = Array<string>(8 - head.length - tail.length).fill('0')
  return [...head, ...missing, ...tail].map((group) => Number.parseInt(group, 16).toString(16))
}
