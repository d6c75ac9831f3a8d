import { type Adapter, type DeviceMessage, type Heard, topicMatches } from './adapter.ts'
import { bthome, type Counters } from './bthome.ts'
import { type EsphomeSensor, esphome } from './esphome.ts'
import { openMqttGateway } from './openmqttgateway.ts'
import { type TasmotaSensor, tasmota } from './tasmota.ts'
import { zigbee2mqtt } from './zigbee2mqtt.ts'

export interface SensorSources {
  openMqttGateway: { base: string }
  zigbee2mqtt: { base: string }
  bthome: { topics: readonly string[]; keys: ReadonlyMap<string, string> }
  tasmota: { named: readonly TasmotaSensor[] }
  esphome: { named: readonly EsphomeSensor[] }
}

/** The table from topic to adapter. */
export class Adapters {
  readonly subscriptions: readonly string[]
  readonly #table: { pattern: string; adapter: Adapter }[]

  constructor(sources: SensorSources, counters: Counters) {
    const adapters = [
      openMqttGateway(sources.openMqttGateway),
      zigbee2mqtt(sources.zigbee2mqtt),
      bthome(sources.bthome, counters),
      tasmota(sources.tasmota),
      esphome(sources.esphome),
    ]
    this.#table = adapters.flatMap((adapter) => adapter.subscriptions.map((pattern) => ({ pattern, adapter })))
    this.subscriptions = [...new Set(this.#table.map((row) => row.pattern))]
  }

  read(message: DeviceMessage): Heard[] {
    const meant = this.#table.filter((row) => topicMatches(row.pattern, message.topic)).map((row) => row.adapter)
    return [...new Set(meant)].flatMap((adapter) => adapter.read(message))
  }
}
