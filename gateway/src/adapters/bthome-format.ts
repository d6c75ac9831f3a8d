import { createDecipheriv } from 'node:crypto'

/** BTHome v2 service data, from the first byte on. */
export type Decoded =
  | { kind: 'measured'; values: BthomeValues; counter: number | null; mac: string | null }
  | { kind: 'encrypted'; mac: string | null }
  | { kind: 'unreadable' }

export interface BthomeValues {
  temperature?: number
  humidity?: number
  batt?: number
}

const ENCRYPTED = 0b1
const MAC_INCLUDED = 0b10
const TAG_BYTES = 4
const COUNTER_BYTES = 4
const MAC_BYTES = 6

/** Bytes of each object known here, and what it tells. Objects come in rising order, so the unknown ends the list. */
const OBJECTS: Record<number, { bytes: number; take?: (at: DataView) => BthomeValues }> = {
  0: { bytes: 1 },
  1: { bytes: 1, take: (at) => ({ batt: at.getUint8(0) }) },
  2: { bytes: 2, take: (at) => ({ temperature: at.getInt16(0, true) / 100 }) },
  3: { bytes: 2, take: (at) => ({ humidity: at.getUint16(0, true) / 100 }) },
  12: { bytes: 2 },
  46: { bytes: 1, take: (at) => ({ humidity: at.getUint8(0) }) },
  58: { bytes: 1 },
  69: { bytes: 2, take: (at) => ({ temperature: at.getInt16(0, true) / 10 }) },
  87: { bytes: 1, take: (at) => ({ temperature: at.getInt8(0) }) },
  88: { bytes: 1, take: (at) => ({ temperature: (at.getInt8(0) * 35) / 100 }) },
}

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

/** The first of each kind counts: a second temperature is a second probe on the same device. */
function objectsIn(body: Uint8Array): BthomeValues {
  const values: BthomeValues = {}
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength)
  for (let at = 0; at < body.length; ) {
    const object = OBJECTS[view.getUint8(at)]
    if (!object || at + 1 + object.bytes > body.length) break
    const told = object.take?.(new DataView(body.buffer, body.byteOffset + at + 1, object.bytes))
    Object.assign(values, { ...told, ...values })
    at += 1 + object.bytes
  }
  return values
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
