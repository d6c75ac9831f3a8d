import type { FloorType, NightMode, Permission, PresetMode } from '@hypocaust/domain'
import type { ColumnType } from 'kysely'

/** The database's tables in the code's own words; columns are snake_case on disk, times are epoch milliseconds. */
export interface Tables {
  user: UserTable
  buildings: BuildingTable
  weather: WeatherTable
  gateways: GatewayTable
  sensors: SensorTable
  rooms: RoomTable
  valves: ValveTable
  apiKeys: ApiKeyTable
}

/** 0 or 1: the two engines agree on integers, not on booleans. */
export type Bit = 0 | 1

type FixedAtInsert<T> = ColumnType<T, T, never>

/** Written by better-auth; here only to look accounts up. */
export interface UserTable {
  id: FixedAtInsert<string>
  email: string
  name: string
}

export interface BuildingTable {
  id: FixedAtInsert<string>
  accountId: FixedAtInsert<string>
  key: FixedAtInsert<string>
  name: string
  lat: number
  lng: number
  timezone: string
  createdAt: FixedAtInsert<number>
}

export interface WeatherTable {
  buildingId: FixedAtInsert<string>
  updatedAt: number
  temperatureC: number
  cloudPct: number
  windDeg: number
  windMs: number
}

export interface GatewayTable {
  id: FixedAtInsert<string>
  buildingId: FixedAtInsert<string>
  key: FixedAtInsert<string>
  name: string
  tokenHash: string
  createdAt: FixedAtInsert<number>
  lastSeenAt: number | null
}

export interface SensorTable {
  id: FixedAtInsert<string>
  buildingId: FixedAtInsert<string>
  createdAt: FixedAtInsert<number>
  temperatureC: number | null
  humidityPct: number | null
  batteryPct: number | null
  rssiDbm: number | null
  measuredAt: number | null
}

export interface RoomTable {
  id: FixedAtInsert<string>
  buildingId: FixedAtInsert<string>
  key: FixedAtInsert<string>
  name: string
  position: number
  floorType: FloorType
  sensorId: string
  floorSensorId: string | null
  areaM2: number | null
  targetC: number
  presetMode: PresetMode
  manualEnabled: Bit
  manualPower: number
  comfortBandK: number
  nightMode: ColumnType<string | null>
  maxFloorC: number
  /** What the heating control last decided; manual power, where enabled, overrides it. */
  controlPower: number
  createdAt: FixedAtInsert<number>
}

export interface ValveTable {
  gatewayId: FixedAtInsert<string>
  channel: FixedAtInsert<number>
  roomId: string
}

export interface ApiKeyTable {
  id: FixedAtInsert<string>
  accountId: FixedAtInsert<string>
  name: string
  hash: FixedAtInsert<string>
  hint: FixedAtInsert<string>
  permission: FixedAtInsert<Permission>
  createdAt: FixedAtInsert<number>
  lastUsedAt: number | null
  expiresAt: FixedAtInsert<number | null>
  revokedAt: number | null
}

export const nightModeColumn = (nightMode: NightMode | undefined): string | null =>
  nightMode ? JSON.stringify(nightMode) : null
