import { isObject, parseObject } from '../json.ts'
import { type Adapter, heard, pairsOf } from './adapter.ts'
import { decodeBthome } from './bthome-format.ts'

/** The newest counter heard from each encrypted device, by address without colons; kept over a restart. */
export type Counters = Map<string, { counter: number; atMs: number }>

const SAME_BROADCAST_MS = 10_000
const RESTART_SILENCE_MS = 600_000
const RESTART_BELOW = 100

/** BTHome v2 as heard by Shelly boxes: `<prefix>/events/ble` with the raw service data in hexadecimal. */
export function bthome(
  { topics, keys }: { topics: readonly string[]; keys: ReadonlyMap<string, string> },
  counters: Counters,
): Adapter {
  return {
    subscriptions: topics,
    read({ payload, retained, nowMs }) {
      const said = parseObject(payload)
      if (retained || !said || !isObject(said.srcBle) || typeof said.payload !== 'string') return []
      const from = said.srcBle.mac
      if (typeof from !== 'string' || !/^(?:[0-9a-f]{2}){1,64}$/i.test(said.payload)) return []
      const data = Buffer.from(said.payload, 'hex')
      const decoded = decodeBthome(data, from, (mac) => keys.get(mac))
      if (decoded.kind !== 'measured') return []
      const id = decoded.mac ?? from.replaceAll(':', '').toLowerCase()
      if (decoded.counter !== null && !risen(counters, id, decoded.counter, nowMs)) return []
      return heard({ id: pairsOf(id), temperature: undefined, ...decoded.values, rssi: said.srcBle.rssi }, nowMs)
    },
  }
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
