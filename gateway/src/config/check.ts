import type { Fault } from './fault.ts'
import type { FileChannel, GatewayFile } from './schema.ts'
import { sensorFaults } from './sensors.ts'

export function faultsOf(file: GatewayFile): Fault[] {
  const channels = file.channels.flatMap((channel, i) => [
    ...outputFaults(channel, ['channels', i]),
    ...channelFaults(channel, i, file.channels),
  ])
  const demand = file.demand ? outputFaults(file.demand, ['demand']) : []
  return [...channels, ...demand, ...serviceFaults(file), ...sensorFaults(file.sensors ?? {})]
}

function serviceFaults({ service }: GatewayFile): Fault[] {
  if (!service || (service.token === undefined) !== (service.token_file === undefined)) return []
  return [{ path: ['service'], message: 'needs either token or token_file' }]
}

function channelFaults(channel: FileChannel, i: number, all: FileChannel[]): Fault[] {
  const faults: Fault[] = []
  const twin = all.findIndex((other) => other.channel === channel.channel)
  if (twin < i) faults.push({ path: ['channels', i, 'channel'], message: `${channel.channel} is there twice` })
  const relay = all.findIndex((other) => relayOf(other) === relayOf(channel))
  if (relay < i)
    faults.push({ path: ['channels', i, 'output'], message: `is the relay of channel ${all[relay]?.channel} already` })
  if (channel.heat === 'electric' && !channel.floor_probe)
    faults.push({ path: ['channels', i], message: 'an electric mat needs a floor_probe' })
  return faults
}

const relayOf = ({ driver, topic, output }: FileChannel) => JSON.stringify([driver, topic, output ?? null])

type Output = Pick<FileChannel, 'driver' | 'output'>

function outputFaults({ driver, output }: Output, at: (string | number)[]): Fault[] {
  const wrong = (message: string): Fault[] => [{ path: [...at, 'output'], message }]
  switch (driver) {
    case 'shelly':
      return output === undefined || typeof output === 'number' ? [] : wrong('a Shelly output is a number from 0')
    case 'tasmota':
      return output === undefined || (typeof output === 'number' && output >= 1)
        ? []
        : wrong('a Tasmota output is a number from 1')
    case 'zigbee2mqtt':
      return output === undefined || typeof output === 'string' ? [] : wrong('a zigbee2mqtt output is a name like l1')
    case 'esphome':
      return typeof output === 'string' ? [] : wrong('an ESPHome output is the object id of the switch')
  }
}
