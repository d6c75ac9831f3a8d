import { isObject, type JsonObject, parseObject, textOf } from '../base/json.ts'
import { pairsOf } from '../base/sensor-id.ts'
import {
  type Adapter,
  batteryOf,
  type DeviceMessage,
  heard,
  ignored,
  signalOf,
  type Understood,
  understood,
} from './adapter.ts'
import { decodeBthome } from './bthome-format.ts'
import { type BthomeValues, OF_WHAT_IS_WET } from './bthome-objects.ts'

/** The newest counter heard from each encrypted device, by address without colons; kept over a restart. */
export type Counters = Map<string, { counter: number; atMs: number }>

export interface BthomeSettings {
  topics: readonly string[]
  keys: ReadonlyMap<string, string>
}

const SAME_BROADCAST_MS = 10_000
const RESTART_SILENCE_MS = 600_000
const RESTART_BELOW = 100
const MOST_BYTES = 255

/** The service data of one broadcast, and who sent it. */
interface Broadcast {
  data: Buffer
  from: string
  rssi: unknown
}

/**
 * BTHome v2. Shelly boxes publish `<prefix>/events/ble` with the raw service data in hexadecimal; other bridges publish
 * the bare data, in hexadecimal or base64, with the address in the topic. Without counters nothing counts as repeated.
 */
export function bthome({ topics, keys }: BthomeSettings, counters: Counters | null): Adapter {
  return {
    subscriptions: topics,
    understand(message) {
      const broadcast = broadcastIn(message)
      if (!broadcast) return ignored('no BTHome service data in it')
      const { data, from, rssi } = broadcast
      const decoded = decodeBthome(data, from, (mac) => keys.get(mac))
      if (decoded.kind === 'unreadable') return ignored('not BTHome version 2, or its key does not fit')
      if (decoded.kind === 'encrypted')
        return ignored(
          'encrypted: add the key of the sensor under sensors.bthome.keys',
          pairsOf(decoded.mac ?? from) ?? null,
        )
      const mac = decoded.mac ?? from
      if (counters && decoded.counter !== null && !risen(counters, mac, decoded.counter, message.nowMs))
        return ignored('a repeated broadcast: its counter has not risen')
      return meaning(pairsOf(mac), decoded.values, rssi)
    },
  }
}

function meaning(id: string | undefined, { open, wet, ...values }: BthomeValues, rssi: unknown): Understood {
  if (open !== undefined && values.temperature === undefined && id !== undefined) {
    const contact = { id, name: null, open, batt: batteryOf(values.batt), rssi: signalOf(rssi), measuredMs: null }
    return understood({ contacts: [contact] })
  }
  if (wet) return ignored(OF_WHAT_IS_WET)
  return heard({ id, temperature: values.temperature, humidity: values.humidity, batt: values.batt, rssi })
}

function broadcastIn({ topic, payload }: DeviceMessage): Broadcast | undefined {
  const said = parseObject(payload)
  const data = bytesIn(said ? (said.payload ?? said.data ?? said.service_data) : textOf(payload))
  const from = (said ? senderIn(said) : undefined) ?? addressIn(topic)
  return data ? { data, from: from ?? '', rssi: said ? rssiIn(said) : undefined } : undefined
}

const senderIn = ({ srcBle, mac, address, addr }: JsonObject): string | undefined =>
  plain(isObject(srcBle) ? srcBle.mac : (mac ?? address ?? addr))

const rssiIn = ({ srcBle, rssi }: JsonObject): unknown => (isObject(srcBle) ? srcBle.rssi : rssi)

const addressIn = (topic: string): string | undefined =>
  topic
    .split('/')
    .reverse()
    .map(plain)
    .find((level) => level !== undefined)

/** An address as twelve hexadecimal digits. */
function plain(address: unknown): string | undefined {
  const digits = typeof address === 'string' ? address.replaceAll(/[:-]/g, '').toLowerCase() : ''
  return /^[0-9a-f]{12}$/.test(digits) ? digits : undefined
}

/** Hexadecimal or base64; a leading service UUID is cut off. */
function bytesIn(text: unknown): Buffer | undefined {
  if (typeof text !== 'string' || text.length < 4 || text.length > 2 * MOST_BYTES) return undefined
  const compact = text.replaceAll(/[\s:]/g, '').replace(/^0x/i, '')
  if (/^(?:[0-9a-f]{2})+$/i.test(compact)) return Buffer.from(compact.replace(/^(?:020106)?(?:..16)?d2fc/i, ''), 'hex')
  return /^[A-Za-z0-9+/]+={0,2}$/.test(compact) ? Buffer.from(compact, 'base64') : undefined
}

/**
 * A recorded broadcast played again must not steer. The same counter within seconds is another box hearing the same
 * broadcast; a small one after a long silence is a changed battery, which starts the count anew.
 */
function risen(counters: Counters, id: string, counter: number, nowMs: number): boolean {
  const last = counters.get(id)
  if (last) {
    const silentMs = Math.abs(nowMs - last.atMs)
    if (counter === last.counter) return silentMs <= SAME_BROADCAST_MS
    if (counter < last.counter && !(counter < RESTART_BELOW && silentMs > RESTART_SILENCE_MS)) return false
  }
  counters.set(id, { counter, atMs: nowMs })
  return true
}
