import type { DeviceMessage } from '../adapters/adapter.ts'
import { isObject, type JsonObject, parseJson, parseObject, textOf } from '../base/json.ts'
import type { RelayOutput } from '../valves/driver.ts'
import { tasmotaDevice } from '../valves/tasmota-topic.ts'

/** The relay outputs a message tells of. */
export function relaysIn({ topic, payload }: DeviceMessage): RelayOutput[] {
  return [
    ...shellyIn(topic, payload),
    ...tasmotaIn(topic, payload),
    ...esphomeIn(topic, payload),
    ...zigbeeIn(topic, payload),
  ]
}

function shellyIn(topic: string, payload: Uint8Array): RelayOutput[] {
  const status = /^(.+)\/status\/switch:(\d+)$/.exec(topic)
  if (status?.[1] && status[2]) return [{ driver: 'shelly', topic: status[1], output: status[2] }]
  const prefix = /^(.+)\/events\/rpc$/.exec(topic)?.[1]
  const params = prefix ? parseObject(payload)?.params : undefined
  if (!prefix || !isObject(params)) return []
  return Object.keys(params).flatMap((key) => {
    const output = /^switch:(\d+)$/.exec(key)?.[1]
    return output ? [{ driver: 'shelly' as const, topic: prefix, output }] : []
  })
}

function tasmotaIn(topic: string, payload: Uint8Array): RelayOutput[] {
  const name = tasmotaDevice(topic, 'stat', 'RESULT') ?? tasmotaDevice(topic, 'tele', 'STATE')
  if (!name) return []
  return Object.keys(parseObject(payload) ?? {}).flatMap((key) => {
    const output = /^POWER(\d*)$/.exec(key)?.[1]
    return output === undefined ? [] : [{ driver: 'tasmota' as const, topic: name, output: output || '1' }]
  })
}

function esphomeIn(topic: string, payload: Uint8Array): RelayOutput[] {
  const match = /^(.+)\/switch\/([^/]+)\/state$/.exec(topic)
  if (!match?.[1] || !match[2] || !/^(?:ON|OFF)$/.test(textOf(payload))) return []
  return [{ driver: 'esphome', topic: match[1], output: match[2] }]
}

function zigbeeIn(topic: string, payload: Uint8Array): RelayOutput[] {
  const base = /^(.+)\/bridge\/devices$/.exec(topic)?.[1]
  const devices = base ? parseJson(payload) : undefined
  if (!Array.isArray(devices)) return []
  return devices.flatMap((device) => {
    if (!isObject(device) || typeof device.friendly_name !== 'string' || !isObject(device.definition)) return []
    return statesOf(device.definition).map((property) => ({
      driver: 'zigbee2mqtt' as const,
      topic: `${base}/${device.friendly_name}`,
      output: property.replace(/^state_?/, ''),
    }))
  })
}

/** The switches among what a device exposes, by the property that works each. */
function statesOf({ exposes }: JsonObject): string[] {
  if (!Array.isArray(exposes)) return []
  return exposes.flatMap((expose) => {
    if (!isObject(expose) || expose.type !== 'switch' || !Array.isArray(expose.features)) return []
    return expose.features.flatMap((feature) => {
      const property = isObject(feature) ? feature.property : undefined
      return typeof property === 'string' && /^state(?:_|$)/.test(property) ? [property] : []
    })
  })
}
