import { type FloorType, type PowerCommand, SHORTEST_WINDOW_S, WINDOW_S } from '@hypocaust/domain'
import type { Selectable } from 'kysely'
import { statement } from '../../store/statement.ts'
import type { Store } from '../../store/store.ts'
import type { Bit, GatewayTable } from '../../store/tables.ts'
import { powerOf } from '../rooms/wish.ts'

export interface GatewayValves {
  gatewayId: string
  /** All of the gateway's channels, whether a room hangs on them or not. */
  channels: number
  valves: Valve[]
  /** What was sent to it last. */
  sent: Sent
}

export type Sent = Pick<
  Selectable<GatewayTable>,
  'commandSeq' | 'command' | 'commandDueAt' | 'configRevision' | 'config' | 'confirmedRevision'
>

export interface Valve {
  channel: number
  floorType: FloorType
  manualEnabled: Bit
  manualPower: number
  controlPower: number
  controlledWish: string | null
  fallbackPower: number | null
  targetC: number
  comfortBandK: number
  temperatureC: number | null
}

interface Which {
  buildingId: string
}

const sentTo = statement((db, { buildingId }: Which) =>
  db
    .selectFrom('gateways')
    .select([
      'id',
      'channels',
      'commandSeq',
      'command',
      'commandDueAt',
      'configRevision',
      'config',
      'confirmedRevision',
    ])
    .where('buildingId', '=', buildingId)
    .orderBy('id'),
)

const valvesOf = statement((db, { buildingId }: Which) =>
  db
    .selectFrom('valves')
    .innerJoin('rooms', 'rooms.id', 'valves.roomId')
    .innerJoin('sensors', 'sensors.id', 'rooms.sensorId')
    .where('rooms.buildingId', '=', buildingId)
    .select([
      'valves.gatewayId',
      'valves.channel',
      'rooms.floorType',
      'rooms.manualEnabled',
      'rooms.manualPower',
      'rooms.controlPower',
      'rooms.controlledWish',
      'rooms.fallbackPower',
      'rooms.targetC',
      'rooms.comfortBandK',
      'sensors.temperatureC',
    ])
    .orderBy('valves.channel'),
)

/**
 * The gateways of a building, each with the rooms on its channels. What was sent to a gateway is read before its rooms: a
 * process that numbers its command right after that one has seen every power the one before it can have seen.
 */
export async function gatewayValvesOf(store: Store, buildingId: string): Promise<GatewayValves[]> {
  const gateways = await sentTo.all(store, { buildingId })
  const valves = await valvesOf.all(store, { buildingId })
  return gateways.map(({ id, channels, ...sent }) => {
    const own = valves.filter(({ gatewayId }) => gatewayId === id)
    return { gatewayId: id, channels: Math.max(channels ?? 0, ...own.map(({ channel }) => channel)), valves: own, sent }
  })
}

/** A command always names all channels; one without a room stays closed. */
export function commandedValves({ channels, valves }: GatewayValves): PowerCommand['valves'] {
  return Array.from({ length: channels }, (_, i) => {
    const valve = valves.find(({ channel }) => channel === i + 1)
    return valve
      ? { channel: i + 1, power: powerOf(valve), window_s: WINDOW_S[valve.floorType] }
      : { channel: i + 1, power: 0, window_s: SHORTEST_WINDOW_S }
  })
}

/** With how much warmth each room can take, which is no news by itself: it only goes along with a command that is due. */
export function withHeadroom(commanded: PowerCommand['valves'], { valves }: GatewayValves): PowerCommand['valves'] {
  return commanded.map((entry) => {
    const valve = valves.find(({ channel }) => channel === entry.channel)
    if (!valve || valve.manualEnabled === 1 || valve.temperatureC === null) return entry
    const headroomK = valve.targetC + valve.comfortBandK - valve.temperatureC
    return { ...entry, headroom_k: Math.round(headroomK * 10) / 10 }
  })
}
