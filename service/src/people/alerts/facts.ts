import type { Decision } from '@hypocaust/control'
import type { Airing, FloorType, MouldRisk } from '@hypocaust/domain'
import type { RelayCondition } from '../../house/gateways/conditions.ts'

export interface BuildingFacts {
  id: string
  name: string
  timezone: string
  /** The newest heartbeat of any gateway. */
  lastSeenAt: number | null
  gateways: GatewayFacts[]
  rooms: RoomFacts[]
  /** Pairs of rooms that answer to each other's heat, in the order of the rooms. */
  swapped: [RoomFacts, RoomFacts][]
  /** Of its tank of hot water; null where nobody asks for a disinfection. */
  isDisinfectionOverdue: boolean | null
  /** A person has chosen the season of cooling, and not that it changes by itself. */
  isCoolingByHand: boolean
}

export interface GatewayFacts {
  id: string
  createdAt: number
  lastSeenAt: number | null
  /** Whether a room hangs on it. */
  hasRooms: boolean
  /** Commands since the last one it acknowledged. */
  unanswered: number
  refuses: boolean
  /** When the latest window began that it worked as commanded. */
  obeyedAt: number | null
  /** Another agent runs under its identity. */
  isDoubled: boolean
}

export interface RoomFacts {
  id: string
  name: string
  floorType: FloorType
  targetC: number
  bandK: number
  /** Null: the room is not cooled. */
  coolingTargetC: number | null
  /** Of several sensors, the weakest. */
  batteryPct: number | null
  measuredAt: number | null
  /** When the sensor that has been silent for the longest was last heard; null where one never was. */
  allHeardAt: number | null
  /** Since when another thermostat heats it. */
  watchedSince: number | null
  /** Of its coldest surface; null where its humidity has not been measured lately. */
  mould: { risk: MouldRisk | null; dampHours: number; airing: Airing | null } | null
  /** As its gateways last reported; none while they have not. */
  relays: Pick<RelayCondition, 'state' | 'stuck' | 'held'>[]
  /** Oldest first; of the last hours where there is something to look into, else the latest alone. */
  decisions: Decision[]
}

/**
 * Whether an alert's condition is met. `unknown`: cannot be decided now, so an open alert stays open and none begins.
 * `lapsed`: the question no longer arises. `gone`: it is over, and seen to be.
 */
export type State = 'holds' | 'unknown' | 'lapsed' | 'gone'
