import type { RelayOutput } from '../valves/driver.ts'
import type { FileChannel } from './schema.ts'

export type FileRelay = Pick<FileChannel, 'driver' | 'topic' | 'output'>

const FIRST_OUTPUT = { shelly: '0', tasmota: '1', zigbee2mqtt: '', esphome: '' }

export function relayOf({ driver, topic, output }: FileRelay): RelayOutput {
  return { driver, topic, output: output === undefined ? FIRST_OUTPUT[driver] : String(output) }
}

/** The same for two entries of a file that mean one relay. */
export function relayKey(relay: FileRelay): string {
  const { driver, topic, output } = relayOf(relay)
  return `${driver} ${topic} ${output}`
}
