import { stringify } from 'yaml'
import type { RelayOutput } from '../valves/driver.ts'
import type { FoundSensor, SensorSource } from './finder.ts'

export interface Discovery {
  url: string
  sensors: FoundSensor[]
  relays: RelayOutput[]
}

/** A gateway.yaml to start from: every relay heard is a channel, to be thinned out and ordered by a person. */
export function startingFile({ url, sensors, relays }: Discovery): string {
  const file = { devices: { url }, data: 'data', sensors: sensorsSection(sensors), channels: relays.map(channelEntry) }
  return [
    '# Written by "discover". Remove the relays that work no valve, number the channels as they are at the manifold,',
    '# and give each its name. An actuator that is open without current needs "normally: open".',
    '# The sensors heard; rooms choose theirs at the service, nothing is needed here for those with an address:',
    ...sensors.map((sensor) => `#   ${describeSensor(sensor)}`),
    stringify(file),
  ].join('\n')
}

export function describeSensor({ id, source, temperature }: FoundSensor): string {
  const value = temperature === null ? '   ?   ' : `${temperature.toFixed(1)} °C`
  return `${id}  ${value}  ${placeOf(source)}`
}

export const describeRelay = ({ driver, topic, output }: RelayOutput): string =>
  `${driver}  ${topic}${output === '' ? '' : `  output ${output}`}`

function placeOf(source: SensorSource): string {
  switch (source.family) {
    case 'openmqttgateway':
    case 'zigbee2mqtt':
      return `${source.family} (${source.base})`
    case 'bthome':
      return source.encrypted ? 'bthome, encrypted: needs its key under sensors.bthome.keys' : 'bthome'
    case 'tasmota':
      return `tasmota ${source.device} ${source.name}`.trim()
    case 'esphome':
      return `esphome ${source.topic}`
  }
}

function sensorsSection(sensors: FoundSensor[]) {
  const base = (family: 'openmqttgateway' | 'zigbee2mqtt') => {
    const one = sensors.map(({ source }) => source).find((source) => source.family === family)
    return one && 'base' in one ? { [family]: { base: one.base } } : {}
  }
  const tasmota = sensors.flatMap(({ id, source }) =>
    source.family === 'tasmota' && source.named ? [{ sensor: id, device: source.device, name: source.name }] : [],
  )
  const esphome = sensors.flatMap(({ id, source }) =>
    source.family === 'esphome' ? [{ sensor: id, temperature: source.topic }] : [],
  )
  return {
    ...base('openmqttgateway'),
    ...base('zigbee2mqtt'),
    ...(tasmota.length > 0 && { tasmota }),
    ...(esphome.length > 0 && { esphome }),
  }
}

function channelEntry({ driver, topic, output }: RelayOutput, i: number) {
  const numbered = driver === 'shelly' || driver === 'tasmota'
  return {
    channel: i + 1,
    name: `loop ${i + 1}`,
    driver,
    topic,
    ...(output !== '' && { output: numbered ? Number(output) : output }),
  }
}
