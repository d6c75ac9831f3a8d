import type { Feeling, FloorType, PresetMode, RoomIcon } from '@hypocaust/domain'
import type { ColumnType, Generated } from 'kysely'
import type { Bit, FixedAtInsert } from './columns.ts'

export interface RoomTable {
  id: FixedAtInsert<string>
  buildingId: FixedAtInsert<string>
  key: FixedAtInsert<string>
  name: string
  position: number
  floorType: FloorType
  sensorId: string
  floorSensorId: string | null
  /** Beside the first one, as JSON with their addresses. */
  otherSensors: string | null
  areaM2: number | null
  /** By this the pages group rooms. */
  storey: string | null
  /** Since when another thermostat heats it and its valves get no command; null where the heating control does. */
  watchedSince: number | null
  /** Null: by the name. */
  icon: RoomIcon | null
  targetC: number
  /** Until when the target counts before programme and absence, as JSON. */
  targetHold: ColumnType<string | null>
  presetMode: PresetMode
  manualEnabled: Bit
  manualPower: number
  comfortBandK: number
  /** At most one of the two, as JSON: every night the same, or a whole week. */
  nightMode: ColumnType<string | null>
  programme: ColumnType<string | null>
  /** As JSON; it counts until its end and is replaced or removed later. */
  override: ColumnType<string | null>
  maxFloorC: number
  /** f_Rsi of its coldest surface. */
  surfaceFactor: number
  /** By how much it may be warmed against mould. */
  mouldWarmingK: number
  /** The people without whom it is not used, as JSON; null: anybody. */
  usedBy: string | null
  /** How far it may cool and be warm again in the time that people chose; null until worked out. */
  warmAgainK: number | null
  /** What it is cooled to while the building cools; null: not at all. */
  coolingTargetC: number | null
  /** When the floor has a minimum, JSON; null: never. */
  floorTimes: string | null
  /** What the target is the temperature of. */
  targetOf: 'air' | 'floor'
  /** Its blinds and when to close them, JSON; null: it has none. */
  blinds: string | null
  /** What is remembered of that surface, as JSON; see house/air/count.ts. */
  surfaceRecord: ColumnType<string | null>
  /** What the heating control last decided, and the manual setting it was decided for. */
  controlPower: number
  /** In which that power is the open share; null until the control has decided. */
  controlWindowS: number | null
  /** Whether that power is coolness. */
  cools: Generated<Bit>
  controlledWish: string | null
  /** What the room has needed lately, for a gateway without commands; null until learned. */
  fallbackPower: number | null
  /** What was aimed for at that decision, and the later moment it already heats for, if any. */
  aimC: number | null
  warmingFor: number | null
  /** When its heat was last counted. */
  heatCountedAt: Generated<number>
  /** Never falls; null until a day of the room was counted in kWh. */
  heatCounterKwh: number | null
  fittedAt: Generated<number>
  createdAt: FixedAtInsert<number>
}

export interface ValveTable {
  gatewayId: FixedAtInsert<string>
  channel: FixedAtInsert<number>
  roomId: string
}

/** What a person has entered of a loop. */
export interface LoopDetailsTable {
  gatewayId: FixedAtInsert<string>
  channel: FixedAtInsert<number>
  lengthM: number | null
  spacingMm: number | null
  covering: string | null
  designFlow: number | null
}

/** Which room a loop was confirmed to warm, null for none, and how sure a search was of it. */
export interface LoopTestTable {
  gatewayId: FixedAtInsert<string>
  channel: FixedAtInsert<number>
  roomId: FixedAtInsert<string | null>
  testedAt: FixedAtInsert<number>
  certainty: FixedAtInsert<number | null>
}

export interface ProgrammeLinkTable {
  id: FixedAtInsert<string>
  accountId: FixedAtInsert<string>
  roomId: FixedAtInsert<string>
  secretHash: FixedAtInsert<string>
  createdAt: FixedAtInsert<number>
}

/** Which sensors measured a room before others did. */
export interface FormerSensorsTable {
  roomId: FixedAtInsert<string>
  untilAt: FixedAtInsert<number>
  sensorId: FixedAtInsert<string>
  otherSensors: FixedAtInsert<string | null>
}

/** When a person found a room too cold or too warm, at most once an hour; see house/rooms/feedback.ts. */
export interface ComfortVoteTable {
  roomId: FixedAtInsert<string>
  hourAt: FixedAtInsert<number>
  pressedAt: number
  feeling: Feeling
  /** What the room was heated towards, and how warm it was. */
  setpointC: number
  temperatureC: number | null
}
