import { createHmac } from 'node:crypto'

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The code an authenticator app shows: RFC 6238 with six digits and half a minute. */
export function codeOf(uri: string, atMs: number): string {
  const bits = [...(new URL(uri).searchParams.get('secret') ?? '')]
    .map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0'))
    .join('')
  const secret = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(atMs / 30_000)))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const at = (mac.at(-1) as number) & 0xf
  return String((mac.readUInt32BE(at) & 0x7fffffff) % 1e6).padStart(6, '0')
}
