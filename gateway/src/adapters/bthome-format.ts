import { createDecipheriv } from 'node:crypto'
import { type BthomeValues, objectsIn } from './bthome-objects.ts'

/** BTHome v2 service data, from the first byte on. */
type Decoded =
  | { kind: 'measured'; values: BthomeValues; counter: number | null; mac: string | null }
  | { kind: 'encrypted'; mac: string | null }
  | { kind: 'unreadable' }

const ENCRYPTED = 0b1
const MAC_INCLUDED = 0b10
const TAG_BYTES = 4
const COUNTER_BYTES = 4
const MAC_BYTES = 6

export function decodeBthome(data: Uint8Array, senderMac: string, keyOf: (mac: string) => string | undefined): Decoded {
  const info = data[0]
  if (info === undefined || info >> 5 !== 2) return { kind: 'unreadable' }
  const named = (info & MAC_INCLUDED) !== 0
  if (named && data.length < 1 + MAC_BYTES) return { kind: 'unreadable' }
  const mac = named
    ? Buffer.from(data.slice(1, 1 + MAC_BYTES))
        .reverse()
        .toString('hex')
    : null
  const body = data.subarray(named ? 1 + MAC_BYTES : 1)
  if ((info & ENCRYPTED) === 0) return { kind: 'measured', values: objectsIn(body), counter: null, mac }
  const sender = mac ?? senderMac.replaceAll(':', '').toLowerCase()
  const key = keyOf(sender)
  if (key === undefined) return { kind: 'encrypted', mac }
  const opened = decrypt(body, info, sender, key)
  if (!opened) return { kind: 'unreadable' }
  return { kind: 'measured', values: objectsIn(opened.plain), counter: opened.counter, mac }
}

function decrypt(body: Uint8Array, info: number, mac: string, key: string) {
  const sealed = body.length - COUNTER_BYTES - TAG_BYTES
  if (sealed < 1 || !/^[0-9a-f]{12}$/.test(mac) || !/^[0-9a-f]{32}$/i.test(key)) return undefined
  const counter = body.subarray(sealed, sealed + COUNTER_BYTES)
  const nonce = Buffer.concat([Buffer.from(mac, 'hex'), Buffer.from([0xd2, 0xfc, info]), counter])
  const opener = createDecipheriv('aes-128-ccm', Buffer.from(key, 'hex'), nonce, { authTagLength: TAG_BYTES })
  opener.setAuthTag(body.subarray(sealed + COUNTER_BYTES))
  try {
    const plain = opener.update(body.subarray(0, sealed))
    opener.final()
    return { plain, counter: Buffer.from(counter).readUInt32LE() }
  } catch {
    return undefined
  }
}
