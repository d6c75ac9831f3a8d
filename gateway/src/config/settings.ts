import type { SensorSources } from '../adapters/index.ts'
import type { RelayOutput } from '../valves/driver.ts'

/** The agent's settings, complete and in the agent's own units. */
export interface GatewaySettings {
  /** Null until the gateway is paired. */
  service: ServiceSettings | null
  devices: BrokerSettings
  dataFolder: string
  bufferBytes: number
  collectMs: number
  everyMs: number
  sources: SensorSources
  /** The names of the file by the ids that stand for them towards the service. */
  sensorNames: ReadonlyMap<string, string>
  autoOffS: number
  channels: ChannelSettings[]
  demand: (RelayOutput & { leadMs: number; lagMs: number }) | null
}

export interface BrokerSettings {
  url: string
  username: string | null
  password: string | null
  ca: string | null
}

export interface ServiceSettings {
  url: string
  gatewayId: string
  token: string
  ca: string | null
}

export interface ChannelSettings extends RelayOutput {
  channel: number
  name: string
  normally: 'closed' | 'open'
  heat: 'hydronic' | 'electric'
  floorProbe: { sensorId: string; maxC: number } | null
}
