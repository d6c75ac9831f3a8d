import { autoOffExists } from '../valves/relay.ts'
import { coverFaults } from './covers.ts'
import type { Fault } from './fault.ts'
import type { FileRelay } from './file-relay.ts'
import { hotWaterFaults } from './hot-water.ts'
import { meterFaults } from './meters.ts'
import { namingFaults } from './mqtt-relay.ts'
import { OwnChannels } from './own-channels.ts'
import { polledFaults } from './polled.ts'
import { relayKey, relayOf } from './relay.ts'
import type { FileChannel, GatewayFile } from './schema.ts'
import { sensorFaults } from './sensors.ts'
import { coolingFaults } from './source.ts'
import type { FileSourceOutput } from './source-schema.ts'
import { suppliesFaults } from './supply.ts'

type Path = (string | number)[]

export function faultsOf(file: GatewayFile): Fault[] {
  const channels = file.channels.flatMap((channel, i) => [
    ...outputFaults(channel, ['channels', i]),
    ...channelFaults(channel, i, file.channels),
  ])
  return [
    ...channels,
    ...sourceFaults(file),
    ...coolingFaults(file),
    ...hotWaterFaults(file),
    ...suppliesFaults(file),
    ...serviceFaults(file),
    ...sensorFaults(file.sensors ?? {}),
    ...meterFaults(file.meters ?? []),
    ...polledFaults(file),
    ...coverFaults(file.covers),
    ...pageFaults(file),
  ]
}

function pageFaults({ page }: GatewayFile): Fault[] {
  const port = Number(page?.listen?.split(':').at(-1) ?? 1)
  return port <= 65_535 ? [] : [{ path: ['page', 'listen'], message: 'must end in a port up to 65535' }]
}

function serviceFaults({ service }: GatewayFile): Fault[] {
  if (!service || (service.token === undefined) !== (service.token_file === undefined)) return []
  return [{ path: ['service'], message: 'needs either token or token_file' }]
}

function channelFaults(channel: FileChannel, i: number, all: FileChannel[]): Fault[] {
  const faults: Fault[] = []
  const at = (path: Path, message: string) => faults.push({ path: ['channels', i, ...path], message })
  const twin = all.findIndex((other) => other.channel === channel.channel)
  if (twin < i) at(['channel'], `${channel.channel} is there twice`)
  const relay = all.findIndex((other) => relayKey(other) === relayKey(channel))
  if (relay < i) at(['output'], `is the relay of channel ${all[relay]?.channel} already`)
  if (channel.heat === 'electric') {
    if (!channel.floor_probe) at([], 'an electric mat needs a floor_probe')
    if (!autoOffExists(relayOf(channel), channel.normally ?? 'closed'))
      at(
        [channel.driver === undefined ? 'profile' : 'driver'],
        'an electric mat needs a relay that switches off by itself, and this driver has no auto-off',
      )
    if (channel.actuator) at(['actuator'], 'an electric mat has no actuator')
  }
  return faults
}

interface Placed {
  output: FileSourceOutput
  at: Path
}

function placedOutputs({ pump, pumps = [], boiler, demand, cooling }: GatewayFile): Placed[] {
  const single = Object.entries({ pump, boiler, demand }).flatMap(([name, output]) =>
    output ? [{ output, at: [name] }] : [],
  )
  const changeover = cooling?.changeover ? [{ output: cooling.changeover, at: ['cooling', 'changeover'] }] : []
  return [...single, ...pumps.map((output, i) => ({ output, at: ['pumps', i] })), ...changeover]
}

function sourceFaults(file: GatewayFile): Fault[] {
  const faults: Fault[] = [...pumpFaults(file)]
  for (const { output, at } of placedOutputs(file)) {
    faults.push(...outputFaults(output, at))
    const channel = file.channels.find((each) => relayKey(each) === relayKey(output))
    if (channel)
      faults.push({ path: [...at, 'topic'], message: `is the relay of channel ${channel.channel}; it needs its own` })
    if (output.min_open_loops !== undefined && output.min_flow !== undefined)
      faults.push({ path: [...at, 'min_flow'], message: 'stands beside min_open_loops; give one of the two' })
    faults.push(...minimumFaults(file, output, at))
  }
  if (file.demand && (file.pump || file.boiler))
    faults.push({ path: ['demand'], message: 'means pump and boiler; remove it, or remove pump and boiler' })
  faults.push(...sgReadyFaults(file))
  const { flow_temperature: flow } = file
  if (flow && (flow.sensor === undefined) === (flow.topic === undefined))
    faults.push({ path: ['flow_temperature'], message: 'needs either sensor or topic' })
  return faults
}

/** Each contact has a relay of its own. */
function sgReadyFaults(file: GatewayFile): Fault[] {
  const taken = [...file.channels, ...placedOutputs(file).map(({ output }) => output)].map(relayKey)
  return Object.entries(file.sg_ready_output ?? {}).flatMap(([name, contact]) => {
    const at = ['sg_ready_output', name]
    const isTaken = taken.includes(relayKey(contact))
    taken.push(relayKey(contact))
    if (isTaken) return [{ path: [...at, 'topic'], message: 'is the relay of another output; it needs its own' }]
    return outputFaults(contact, at)
  })
}

/** Several pumps: each has loops and a relay of its own. */
function pumpFaults({ pump, pumps = [], boiler, demand, channels }: GatewayFile): Fault[] {
  if (pumps.length > 0 && (pump || demand))
    return [{ path: ['pumps'], message: `stands beside ${pump ? 'pump' : 'demand'}; give one of the two` }]
  const own = new OwnChannels(channels)
  const relays = boiler ? [relayKey(boiler)] : []
  return pumps.flatMap((each, i) => {
    const at = (name: string, message: string): Fault[] => [{ path: ['pumps', i, name], message }]
    const fault = own.faultOf(each.channels, 'pump')
    if (fault) return at('channels', fault)
    if (relays.includes(relayKey(each))) return at('topic', 'is the relay of another pump or of the boiler')
    relays.push(relayKey(each))
    return []
  })
}

function minimumFaults({ channels }: GatewayFile, output: FileSourceOutput, at: Path): Fault[] {
  const { min_open_loops = 0, min_flow = 0 } = output
  const loops = channels.filter(({ heat }) => heat !== 'electric')
  if (min_open_loops > loops.length)
    return [{ path: [...at, 'min_open_loops'], message: `is more than the ${loops.length} water loops there are` }]
  if (min_flow === 0) return []
  const without = loops.find(({ area_m2 }) => area_m2 === undefined)
  if (without)
    return [
      { path: [...at, 'min_flow'], message: `needs area_m2 of every channel; channel ${without.channel} has none` },
    ]
  const areaM2 = loops.reduce((sum, { area_m2 = 0 }) => sum + area_m2, 0)
  return min_flow > areaM2
    ? [{ path: [...at, 'min_flow'], message: `is more than the ${areaM2} m² of all water loops` }]
    : []
}

function outputFaults(relay: FileRelay, at: Path): Fault[] {
  const { driver, output } = relay
  const naming = namingFaults(relay, at)
  if (naming.length > 0) return naming
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
    default:
      return []
  }
}
