import type { SensorSources } from '../adapters/index.ts'
import type { CoverSettings } from '../covers/settings.ts'
import type { GridSettings } from '../inputs/grid.ts'
import type { MeterSettings } from '../inputs/meters.ts'
import type { ValueSource } from '../inputs/value.ts'
import type { ActuatorKind } from '../laws/actuator.ts'
import type { SourceLimits } from '../laws/align.ts'
import type { PumpTimes } from '../laws/source.ts'
import type { PolledSettings } from '../polled/polled-devices.ts'
import type { HotWaterSettings } from '../supply/hot-water.ts'
import type { SupplySettings } from '../supply/settings.ts'
import type { RelayOutput } from '../valves/driver.ts'

/** The agent's settings, complete and in the agent's own units. */
export interface GatewaySettings {
  /** Null until the gateway is paired. */
  service: ServiceSettings | null
  devices: BrokerSettings
  dataFolder: string
  /** The file itself without secrets, for the service to keep; null where there is none. */
  copy: string | null
  bufferBytes: number
  collectMs: number
  everyMs: number
  sources: SensorSources
  /** The names of the file by the ids that stand for them towards the service. */
  sensorNames: ReadonlyMap<string, string>
  autoOffS: number
  channels: ChannelSettings[]
  source: SourceSettings
  /** Where the source says that it makes domestic hot water. */
  hotWater: ContactSettings[]
  /** What is known of the tank, and how the source is asked to heat it; null where neither is. */
  tank: HotWaterSettings | null
  /** Contacts of limiters that say that the water is too hot for the floor. */
  flowLimiters: ContactSettings[]
  flowTemperature: FlowTemperatureSettings | null
  /** Several where each circuit has a mixer of its own. */
  supplies: SupplySettings[]
  /** Null where the source cannot cool. */
  cooling: CoolingSettings | null
  grid: GridSettings
  /** The two relays of SG-Ready on the heat pump. */
  sgReadyOutput: [RelayOutput, RelayOutput] | null
  meters: MeterSettings[]
  /** Devices that are asked, on Modbus TCP and HTTP. */
  polled: PolledSettings
  /** Blinds and shutters outside windows. */
  covers: CoverSettings[]
  /** The page of the agent in the local network; null while it is not switched on. */
  page: PageSettings | null
}

export interface PageSettings {
  host: string
  port: number
}

/** Where devices that are asked send their answers. */
export const replyTopic = ({ service }: Pick<GatewaySettings, 'service'>): string =>
  `hypocaust-${service?.gatewayId ?? 'gateway'}`

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
  actuator: ActuatorKind
  areaM2: number
  floorProbe: { sensorId: string; maxC: number } | null
}

/** Null limits: the loops open one after the other; else they open together. */
export type SourceSettings =
  | {
      kind: 'separate'
      pumps: PumpSettings[]
      boiler: RelayOutput | null
      limits: SourceLimits | null
    }
  | { kind: 'both'; relay: RelayOutput; times: PumpTimes; limits: SourceLimits }

export interface PumpSettings extends RelayOutput, PumpTimes {
  /** `pump`, or `pump 2` of several. */
  id: string
  /** For people, in the log. */
  name: string
  /** The loops it moves water through; null for all. */
  channels: ReadonlySet<number> | null
}

export interface ContactSettings {
  topic: string
  path: string | null
  on: string
}

export interface CoolingSettings {
  /** Its relay is on while the source is to cool. */
  changeover: RelayOutput | null
  /** Whether the relay of the heat request asks for cooling too. */
  usesRequest: boolean
  /** Where the source, or a changeover contact, says that it cools. */
  reported: ContactSettings | null
  dewContacts: ContactSettings[]
  minSupplyC: number
}

export interface FlowTemperatureSettings {
  from: ValueSource
  maxC: number
}
