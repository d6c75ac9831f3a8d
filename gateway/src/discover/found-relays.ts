import type { DeviceMessage } from '../adapters/adapter.ts'
import { isObject, type JsonObject, parseJson, parseObject } from '../base/json.ts'
import type { RelayOutput } from '../valves/driver.ts'
import { relaysIn } from './relays.ts'

/** A relay output, and what the devices themselves say of it. Null where nothing was said. */
export interface FoundRelay extends RelayOutput {
  name: string | null
  model: string | null
  room: string | null
  /** Whether it is known to switch off by itself: in its definition, not yet proven on this relay. */
  autoOff: 'documented' | 'none' | null
}

const nothing = { name: null, model: null, room: null, autoOff: null }

export function relaysFound(message: DeviceMessage): FoundRelay[] {
  const zigbee = zigbeeFacts(message)
  const plain = relaysIn(message).map((relay) => {
    const device = zigbee.get(relay.topic)
    return { ...relay, ...nothing, ...(device ? factsOf(device, relay) : defaultsOf(relay)) }
  })
  return [...plain, ...tasmotaDiscovery(message)]
}

/** Shelly's and Tasmota's auto-off belongs to their firmware; ESPHome has none over MQTT. */
function defaultsOf({ driver, topic }: RelayOutput): Partial<FoundRelay> {
  if (driver === 'shelly') return { model: /^(shelly[a-z0-9]+)-/.exec(topic)?.[1] ?? null, autoOff: 'documented' }
  return { autoOff: driver === 'tasmota' ? 'documented' : driver === 'esphome' ? 'none' : null }
}

function zigbeeFacts({ topic, payload }: DeviceMessage): Map<string, JsonObject> {
  const base = /^(.+)\/bridge\/devices$/.exec(topic)?.[1]
  const list = base ? parseJson(payload) : undefined
  if (!Array.isArray(list)) return new Map()
  return new Map(list.filter(isObject).map((device) => [`${base}/${String(device.friendly_name)}`, device]))
}

/** A friendly name like `bath/manifold` names the room first. */
function factsOf(device: JsonObject, { output }: RelayOutput): Partial<FoundRelay> {
  const name = String(device.friendly_name)
  const definition = isObject(device.definition) ? device.definition : {}
  const model = [definition.vendor, definition.model].filter((part) => typeof part === 'string').join(' ')
  const timed = JSON.stringify(definition.exposes ?? []).includes('"on_time')
  return {
    name: output === '' ? name : `${name} ${output}`,
    model: model || null,
    room: name.includes('/') ? (name.split('/')[0] ?? null) : null,
    autoOff: timed ? 'documented' : 'none',
  }
}

/** `tasmota/discovery/<mac>/config`: topic `t`, FullTopic `ft`, friendly names `fn`, module `md`, relays `rl` (1 is a relay). */
function tasmotaDiscovery({ topic, payload }: DeviceMessage): FoundRelay[] {
  if (!/^tasmota\/discovery\/[^/]+\/config$/.test(topic)) return []
  const said = parseObject(payload)
  if (!said || typeof said.t !== 'string' || !Array.isArray(said.rl)) return []
  const names = Array.isArray(said.fn) ? said.fn : []
  return said.rl.flatMap((kind, i) =>
    kind === 1
      ? [
          {
            driver: 'tasmota' as const,
            topic: tasmotaPlace(said.t as string, said.ft),
            output: String(i + 1),
            name: typeof names[i] === 'string' ? names[i] : null,
            model: typeof said.md === 'string' ? said.md : null,
            room: null,
            autoOff: 'documented' as const,
          },
        ]
      : [],
  )
}

/** The topic alone where the device keeps Tasmota's FullTopic. */
function tasmotaPlace(topic: string, fullTopic: unknown): string {
  if (typeof fullTopic !== 'string' || /^%prefix%\/%topic%\/?$/.test(fullTopic)) return topic
  return fullTopic.replace('%topic%', topic).replace(/\/$/, '')
}
