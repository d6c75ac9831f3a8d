import type { HeldOff } from '@hypocaust/domain'

/** What the page shows of a running agent. */
export interface AgentState {
  version: string
  role: 'listens' | 'drives' | 'stands by'
  isServiceConnected: boolean
  areDevicesConnected: boolean
  isClockOk: boolean
  /** Readings that the service has not confirmed yet. */
  buffered: number
  channels: ChannelState[]
  sources: { id: string; isOn: boolean; reportsOn: boolean }[]
  /** Why the heat source gives the floor no heat. */
  lock: 'hot_water' | 'flow_temperature' | null
  supplyC: number | null
}

export interface ChannelState {
  channel: number
  name: string
  /** The share of the time for which it is to be open. */
  power: number
  /** As its relay reports. */
  isOpen: boolean
  relay: 'ok' | 'silent' | 'contradicts'
  autoOff: 'proven' | 'unproven' | 'none'
  held: HeldOff | null
}

/** The latest reading of a sensor. */
export interface SensorState {
  id: string
  name: string | null
  temperature: number
  humidity: number | null
  battery: number | null
  atMs: number
}
