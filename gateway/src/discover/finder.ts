import { createHash } from 'node:crypto'
import { type Adapter, type DeviceMessage, type Heard, heard, pairsOf } from '../adapters/adapter.ts'
import { bthome } from '../adapters/bthome.ts'
import { decodeBthome } from '../adapters/bthome-format.ts'
import { openMqttGateway } from '../adapters/openmqttgateway.ts'
import { tasmota } from '../adapters/tasmota.ts'
import { zigbee2mqtt } from '../adapters/zigbee2mqtt.ts'
import { isObject, parseObject, textOf } from '../json.ts'
import type { RelayOutput } from '../valves/driver.ts'
import { relaysIn } from './relays.ts'

export type SensorSource =
  | { family: 'openmqttgateway'; base: string }
  | { family: 'zigbee2mqtt'; base: string }
  | { family: 'bthome'; encrypted: boolean }
  | { family: 'tasmota'; device: string; name: string; named: boolean }
  | { family: 'esphome'; topic: string }

export interface FoundSensor {
  id: string
  source: SensorSource
  /** Null when it cannot be read yet: it is encrypted, or has not spoken. */
  temperature: number | null
}

/** What speaks on a broker. It only listens; nothing heard here moves anything. */
export class Finder {
  readonly sensors = new Map<string, FoundSensor>()
  readonly relays = new Map<string, RelayOutput>()
  readonly #zigbee = new Map<string, Adapter>()
  readonly #bthome = bthome({ topics: [], keys: new Map() }, new Map())
  readonly #tasmota = tasmota({ named: [] })

  hear(message: DeviceMessage): void {
    for (const relay of relaysIn(message)) this.relays.set(JSON.stringify(relay), relay)
    for (const sensor of this.#sensorsIn(message)) {
      const known = this.sensors.get(sensor.id)
      if (!known || sensor.temperature !== null) this.sensors.set(sensor.id, sensor)
    }
  }

  #sensorsIn(message: DeviceMessage): FoundSensor[] {
    const { topic } = message
    const omg = /^(.+)\/[^/]+\/BTtoMQTT\/[^/]+$/.exec(topic)?.[1]
    if (omg !== undefined)
      return found(openMqttGateway({ base: omg }).read(message), { family: 'openmqttgateway', base: omg })
    if (topic.endsWith('/events/ble')) return this.#bthomeIn(message)
    if (/^tele\/[^/]+\/SENSOR$/.test(topic)) return this.#tasmotaIn(message)
    if (/\/sensor\/[^/]*temp[^/]*\/state$/i.test(topic)) return esphomeIn(message)
    return this.#zigbeeIn(message)
  }

  #zigbeeIn(message: DeviceMessage): FoundSensor[] {
    const bridge = /^(.+)\/bridge\/(?:state|devices)$/.exec(message.topic)?.[1]
    if (bridge !== undefined && !this.#zigbee.has(bridge)) this.#zigbee.set(bridge, zigbee2mqtt({ base: bridge }))
    return [...this.#zigbee]
      .filter(([base]) => message.topic.startsWith(`${base}/`))
      .flatMap(([base, adapter]) => found(adapter.read(message), { family: 'zigbee2mqtt', base }))
  }

  #bthomeIn(message: DeviceMessage): FoundSensor[] {
    const plain = found(this.#bthome.read(message), { family: 'bthome', encrypted: false })
    const said = parseObject(message.payload)
    if (plain.length > 0 || !said || !isObject(said.srcBle) || typeof said.payload !== 'string') return plain
    const mac = String(said.srcBle.mac)
    const decoded = decodeBthome(Buffer.from(said.payload, 'hex'), mac, () => undefined)
    if (decoded.kind !== 'encrypted') return []
    const id = pairsOf(decoded.mac ?? mac.replaceAll(':', ''))
    return id ? [{ id, source: { family: 'bthome', encrypted: true }, temperature: null }] : []
  }

  /** Wired sensors have no address: they get one made from their place. The chip's own temperature is no room's. */
  #tasmotaIn(message: DeviceMessage): FoundSensor[] {
    const device = message.topic.split('/')[1] ?? ''
    const addressed = this.#tasmota.read(message)
    const wired = Object.entries(parseObject(message.payload) ?? {}).flatMap(([name, part]) => {
      if (!isObject(part) || pairsOf(part.mac) || pairsOf(part.Id) || /^ESP\d/.test(name)) return []
      const readings = heard({ id: madeUpId(`${device}/${name}`), temperature: part.Temperature }, message.nowMs)
      return found(readings, { family: 'tasmota', device, name, named: true })
    })
    return [...found(addressed, { family: 'tasmota', device, name: '', named: false }), ...wired]
  }
}

function esphomeIn({ topic, payload, nowMs }: DeviceMessage): FoundSensor[] {
  const text = textOf(payload)
  const readings = heard({ id: madeUpId(topic), temperature: text === '' ? undefined : Number(text) }, nowMs)
  return found(readings, { family: 'esphome', topic })
}

const found = (readings: Heard[], source: SensorSource): FoundSensor[] =>
  readings.map(({ id, temperature }) => ({ id, source, temperature }))

/** Marked as locally administered, so that it can be no real device's address. */
function madeUpId(place: string): string {
  const bytes = createHash('sha256').update(place).digest().subarray(0, 6)
  bytes[0] = ((bytes[0] ?? 0) & 0xfc) | 0x02
  return pairsOf(bytes.toString('hex')) ?? ''
}
