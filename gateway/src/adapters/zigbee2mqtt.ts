import { isObject, type JsonObject, parseJson, parseObject } from '../json.ts'
import { type Adapter, heard, isNumber, pairsOf } from './adapter.ts'

const CACHE_REPLAY_MS = 60_000
const TOO_OLD_MS = 3_600_000

/** zigbee2mqtt names devices as people do; the address behind a name is in the retained list of devices. */
export function zigbee2mqtt({ base }: { base: string }): Adapter {
  let addresses = new Map<string, string>()
  let replayUntilMs = Number.NEGATIVE_INFINITY

  return {
    subscriptions: [`${base}/#`],
    read({ topic, payload, retained, nowMs }) {
      const name = topic.slice(base.length + 1)
      if (name === 'bridge/devices') addresses = addressesIn(parseJson(payload)) ?? addresses
      if (name === 'bridge/state' && !retained && stateOf(payload) === 'online') replayUntilMs = nowMs + CACHE_REPLAY_MS
      if (name.startsWith('bridge/') || /\/(?:set|get|availability)(?:\/|$)/.test(name)) return []

      const said = parseObject(payload)
      if (!said) return []
      const measuredMs = lastSeenMs(said)
      if (measuredMs === undefined && (retained || nowMs < replayUntilMs)) return []
      if (measuredMs !== undefined && nowMs - measuredMs > TOO_OLD_MS) return []
      return heard(
        {
          id: addresses.get(name) ?? pairsOf(/^0x[0-9a-f]{16}$/i.test(name) ? name : undefined),
          temperature: said.temperature,
          humidity: said.humidity,
          batt: said.battery,
        },
        Math.min(measuredMs ?? nowMs, nowMs),
      )
    },
  }
}

/** When the device itself last spoke: the message may be an old state that the bridge repeats. */
function lastSeenMs(said: JsonObject): number | undefined {
  if (isNumber(said.last_seen)) return said.last_seen
  if (typeof said.last_seen !== 'string') return undefined
  const ms = Date.parse(said.last_seen)
  return Number.isNaN(ms) ? undefined : ms
}

function addressesIn(list: unknown): Map<string, string> | undefined {
  if (!Array.isArray(list)) return undefined
  const found = new Map<string, string>()
  for (const device of list) {
    if (!isObject(device) || typeof device.friendly_name !== 'string') continue
    const address = pairsOf(device.ieee_address)
    if (address) found.set(device.friendly_name, address)
  }
  return found
}

/** `{"state":"online"}`, and in older versions the bare word. */
function stateOf(payload: Uint8Array): unknown {
  const value = parseJson(payload)
  return isObject(value) ? value.state : new TextDecoder().decode(payload)
}
