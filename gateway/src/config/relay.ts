import type { RelayOutput } from '../valves/driver.ts'
import type { FileRelay } from './file-relay.ts'
import { mqttRelayOf } from './mqtt-relay.ts'

const FIRST_OUTPUT = { shelly: '0', tasmota: '1', zigbee2mqtt: '', esphome: '', mqtt: '' }

export function relayOf(file: FileRelay): RelayOutput {
  const { driver = 'mqtt', topic = '', output } = file
  return mqttRelayOf(file) ?? { driver, topic, output: output === undefined ? FIRST_OUTPUT[driver] : String(output) }
}

/** The same for two entries of a file that mean one relay. */
export function relayKey(relay: FileRelay): string {
  const { driver, topic, output } = relayOf(relay)
  return `${driver} ${topic} ${output}`
}
