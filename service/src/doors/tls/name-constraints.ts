import { isIP } from 'node:net'

const SEQUENCE = 0x30
const PERMITTED = 0xa0
const DNS_NAME = 0x82
const IP_ADDRESS = 0x87

export interface Range {
  address: string
  bits: number
}

/** The extension of RFC 5280, section 4.2.1.10: for these names and addresses, and no others. */
export function nameConstraints(domains: string[], ranges: Range[]): Uint8Array<ArrayBuffer> {
  const bases = [
    ...domains.map((domain) => der(DNS_NAME, Buffer.from(domain, 'ascii'))),
    ...ranges.map((range) => der(IP_ADDRESS, addressAndMask(range))),
  ]
  return new Uint8Array(der(SEQUENCE, der(PERMITTED, Buffer.concat(bases.map((base) => der(SEQUENCE, base))))))
}

function der(tag: number, content: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([tag, ...lengthOf(content.length)]), content])
}

/** Short form below 128, else the number of bytes and the bytes. */
function lengthOf(length: number): number[] {
  if (length < 0x80) return [length]
  return length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
}

function addressAndMask({ address, bits }: Range): Buffer {
  const bytes = bytesOf(address)
  const mask = bytes.map((_, i) => 0xff & ~(0xff >> Math.min(8, Math.max(0, bits - i * 8))))
  return Buffer.from([...bytes, ...mask])
}

function bytesOf(address: string): number[] {
  if (isIP(address) === 4) return address.split('.').map(Number)
  // A URL writes every IPv6 address in one and the same way: groups in hexadecimal, one gap at most.
  const [head = '', tail = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const [before, after] = [groupsOf(head), groupsOf(tail)]
  const groups = [...before, ...Array(8 - before.length - after.length).fill(0), ...after]
  return groups.flatMap((group) => [group >> 8, group & 0xff])
}

const groupsOf = (text: string): number[] =>
  text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))
