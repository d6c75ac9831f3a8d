import type { GatewayStatus, WindowReport } from '@hypocaust/domain'
import type { Generated } from 'kysely'
import type { Bit, FixedAtInsert } from './columns.ts'

export interface GatewayTable {
  id: FixedAtInsert<string>
  buildingId: FixedAtInsert<string>
  key: FixedAtInsert<string>
  name: string
  tokenHash: string
  /** The token once more, hashed in the form Mosquitto's password file has. */
  mqttHash: string | null
  createdAt: FixedAtInsert<number>
  lastSeenAt: number | null
  state: GatewayStatus['state'] | null
  boot: string | null
  version: string | null
  channels: number | null
  clockOk: Bit | null
  buffered: number | null
  commandSeq: Generated<number>
  /** The valves as last commanded, as JSON, and when that is to be said again. */
  command: string | null
  commandDueAt: number | null
  ackedEpoch: number | null
  ackedSeq: number | null
  ackResult: string | null
  /** By how much its commands are of a later epoch than the database: those it had in another one count higher. */
  epochOffset: Generated<number>
  /** Whether it connects to another broker when it is told to; null before it has reported that. */
  followsMoves: Bit | null
  configRevision: Generated<number>
  /** The configuration as last published, as JSON. */
  config: string | null
  confirmedRevision: number | null
  /** Whether it can leave a valve to another thermostat; null before it has reported that. */
  watches: Bit | null
  /** The boot of the agent that works the outputs. */
  agentBoot: string | null
  /** When that agent was last heard. */
  agentSeenAt: number | null
  /** The machine of another agent of the same gateway, and when it last reported that it stands by. */
  otherAgent: string | null
  otherAgentAt: number | null
  /** Its gateway.yaml without secrets, for the box that replaces it. */
  file: string | null
  /** What it last reported of its relays and of the heat source, as JSON. */
  relayReport: string | null
  sourceReport: string | null
}

export interface PairingCodeTable {
  codeHash: FixedAtInsert<string>
  gatewayId: FixedAtInsert<string>
  expiresAt: FixedAtInsert<number>
}

export interface GatewayMessageTable {
  gatewayId: FixedAtInsert<string>
  boot: FixedAtInsert<string>
  n: FixedAtInsert<number>
  receivedAt: FixedAtInsert<number>
}

export interface ValveWindowTable {
  gatewayId: FixedAtInsert<string>
  channel: FixedAtInsert<number>
  startedAt: FixedAtInsert<number>
  windowS: FixedAtInsert<number>
  openS: FixedAtInsert<number>
  source: FixedAtInsert<WindowReport['source']>
}

export interface ReadingTable {
  buildingId: FixedAtInsert<string>
  sensorId: FixedAtInsert<string>
  measuredAt: FixedAtInsert<number>
  temperatureC: FixedAtInsert<number>
  humidityPct: FixedAtInsert<number | null>
}

export interface RolledUpTable {
  sensorId: FixedAtInsert<string>
  startsAt: FixedAtInsert<number>
  count: number
  meanC: number
  minC: number
  maxC: number
  humidityCount: number
  humidityPct: number | null
}

export interface SensorTable {
  /** What rows refer to; outside the database the address is shown. */
  id: FixedAtInsert<string>
  buildingId: FixedAtInsert<string>
  /** Lower-case hex pairs; unique within the building. */
  address: FixedAtInsert<string>
  createdAt: FixedAtInsert<number>
  temperatureC: number | null
  humidityPct: number | null
  batteryPct: number | null
  rssiDbm: number | null
  measuredAt: number | null
  /** When that reading arrived, by the service's clock. */
  receivedAt: number | null
}

export interface ContactTable {
  buildingId: FixedAtInsert<string>
  id: FixedAtInsert<string>
  roomId: string | null
  isOpen: Bit
  batteryPct: number | null
  measuredAt: number
}
