import {
  type FloorType,
  MOST_LIMITS,
  type PowerCommand,
  SHORTEST_WINDOW_S,
  type SourceCommand,
  WINDOW_S,
} from '@hypocaust/domain'
import type { Selectable } from 'kysely'
import { statement } from '../../store/statement.ts'
import type { Store } from '../../store/store.ts'
import type { Bit } from '../../store/tables/columns.ts'
import type { GatewayTable } from '../../store/tables/gateways.ts'
import { COOLING_COLUMNS, type CoolingRow, canCool, coolSupplyC } from '../cooling/settings.ts'
import { COVER_COLUMNS, type CoverRow, type KeptOrder, ordersFor } from '../covers/orders.ts'
import { type HotWaterBasis, hotWaterBasisOf } from '../hot-water/order.ts'
import { HOT_WATER_COLUMNS, type HotWaterRow } from '../hot-water/settings.ts'
import { heldRoomShare, heldShare, type Loop, type LoopRun, runOf } from '../loop-run/run.ts'
import { withOtherSensors } from '../room-sensors.ts'
import { powerOf } from '../rooms/steering.ts'
import { isWatched } from '../rooms/watch.ts'
import { roomLimitsOf, type SharedLimit, sharedLimitsOf } from '../source/power-limit.ts'
import { ENERGY_COLUMNS } from '../source/settings.ts'
import { type RecommendedRow, type SgReadyBasis, sgReadyBasisOf } from '../source/sg-ready.ts'
import type { SupplyRow } from '../source/supply.ts'
import { demandsOf, reporting, sourceOwnerOf } from './shared-source.ts'

export interface GatewayValves {
  gatewayId: string
  /** What it last reported of the heat source. */
  sourceReport: string | null
  /** All of the gateway's channels, whether a room hangs on them or not. */
  channels: number
  valves: Valve[]
  /** Of all gateways of the building. */
  allValves: Valve[]
  /** A test of the building's loops. */
  run: LoopRun | null
  /** What the heat source of the building is to be asked for. */
  supply: SupplyRow
  /** What the limits of the grid leave each room. */
  limits: SharedLimit[]
  /** Of the cold water that is asked for; null while the building heats. */
  coolSupplyC: number | null
  /** Whether it knows how to guard its loops while the source cools. */
  canCool: boolean
  /** Whether a cold room is heated though it is off. */
  frostProtection: boolean
  /** The gateway that works the relay of the heat source, where there are several gateways. */
  sourceOwner: string | null
  /** What the other gateways ask of the heat source. */
  demand: NonNullable<SourceCommand['demand']>
  /** What its relays of SG-Ready go by; null where it has none. */
  sgReady: SgReadyBasis | null
  /** What it is told of the tank of hot water; null where it cannot ask the source for anything. */
  hotWater: HotWaterBasis | null
  /** The covers it works that are to be down now; null for a gateway that cannot move covers. */
  covers: KeptOrder[] | null
  /** What was sent to it last. */
  sent: Sent
  /** Raised when a database is restored from a backup, so that old numbers cannot win. */
  epoch: number
}

export const SENT_COLUMNS = [
  'channels',
  'commandSeq',
  'command',
  'commandDueAt',
  'configRevision',
  'config',
  'confirmedRevision',
  'agentBoot',
  'epochOffset',
] as const

export type Sent = Pick<Selectable<GatewayTable>, (typeof SENT_COLUMNS)[number]>

/** A gateway without what its valves belong to. */
export interface SentGateway extends Sent {
  gatewayId: string
  epoch: string | null
  sourceReport: string | null
  lastSeenAt: number | null
}

export interface Valve {
  gatewayId: string
  channel: number
  roomId: string
  floorType: FloorType
  manualEnabled: Bit
  manualPower: number
  controlPower: number
  controlWindowS: number | null
  controlledWish: string | null
  watchedSince: number | null
  fallbackPower: number | null
  targetC: number
  comfortBandK: number
  temperatureC: number | null
  sensorAddress: string
  otherSensors: string | null
}

interface Which {
  buildingId: string
}

const sentTo = statement((db, { buildingId }: Which) =>
  db
    .selectFrom('gateways')
    .innerJoin('buildings', 'buildings.id', 'gateways.buildingId')
    .select(['gateways.id as gatewayId', 'gateways.sourceReport', 'gateways.lastSeenAt'])
    .select(['buildings.loopRun', 'buildings.supplySetpoint', 'buildings.gridShares', 'buildings.frostProtection'])
    .select('buildings.recommendedUntil')
    .select(
      [...COOLING_COLUMNS, ...HOT_WATER_COLUMNS, ...COVER_COLUMNS].map((column) => `buildings.${column}` as const),
    )
    .select(SENT_COLUMNS.map((column) => `gateways.${column}` as const))
    .select(ENERGY_COLUMNS.map((column) => `buildings.${column}` as const))
    .select(({ selectFrom }) => selectFrom('meta').select('value').where('name', '=', 'epoch').as('epoch'))
    .where('gateways.buildingId', '=', buildingId)
    .orderBy('gateways.id'),
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
      'valves.roomId',
      'rooms.floorType',
      'rooms.manualEnabled',
      'rooms.manualPower',
      'rooms.controlPower',
      'rooms.controlWindowS',
      'rooms.controlledWish',
      'rooms.watchedSince',
      'rooms.fallbackPower',
      'rooms.targetC',
      'rooms.comfortBandK',
      'rooms.buildingId',
      'rooms.otherSensors',
      'sensors.temperatureC',
      'sensors.humidityPct',
      'sensors.measuredAt',
      'sensors.address as sensorAddress',
    ])
    .orderBy('valves.channel'),
)

/**
 * The gateways of a building, each with the rooms on its channels. What was sent to a gateway is read before its rooms: a
 * process that numbers its command right after that one has seen every power the one before it can have seen.
 */
export async function gatewayValvesOf(store: Store, buildingId: string): Promise<GatewayValves[]> {
  const gateways = await sentTo.all(store, { buildingId })
  const [building] = gateways
  if (!building) return []
  return withValves(building, gateways, await withOtherSensors(store, await valvesOf.all(store, { buildingId })))
}

interface CommandedBuilding extends SupplyRow, RecommendedRow, CoolingRow, HotWaterRow, CoverRow {
  loopRun: string | null
  gridShares: string | null
  frostProtection: Bit
}

/** The gateways of a building, each with those of its valves that are its own. */
export function withValves(building: CommandedBuilding, gateways: SentGateway[], valves: Valve[]): GatewayValves[] {
  const { comfort, tariff, heatSource, supplySetpoint } = building
  const supply = { comfort, tariff, heatSource, supplySetpoint }
  const limits = sharedLimitsOf(building)
  const run = runOf(building.loopRun)
  const frostProtection = building.frostProtection === 1
  const sourceOwner = sourceOwnerOf(gateways)
  const demands = demandsOf(gateways)
  const heard = reporting(gateways)
  const ofCooling = coolSupplyC(building)
  return gateways.map((gateway) => {
    const { epoch, sourceReport, lastSeenAt: _, ...sent } = gateway
    if (epoch === null) throw new Error('the database has no epoch')
    const { gatewayId } = sent
    const own = valves.filter((valve) => valve.gatewayId === gatewayId)
    const channels = Math.max(sent.channels ?? 0, ...own.map(({ channel }) => channel))
    const demand = gatewayId === sourceOwner ? demands.filter(({ gateway }) => gateway !== gatewayId) : []
    const ofBuilding = { allValves: valves, run, supply, limits, frostProtection, sourceOwner, coolSupplyC: ofCooling }
    const sgReady = sgReadyBasisOf(gateway, heard, building)
    const hotWater = hotWaterBasisOf({ sourceReport }, building)
    const ofSource = {
      canCool: canCool({ sourceReport }),
      demand,
      sgReady,
      hotWater,
      covers: ordersFor(gateway, building),
    }
    const ofGateway = { gatewayId, sourceReport, channels, valves: own, ...ofSource, sent }
    return { ...ofGateway, ...ofBuilding, epoch: Number(epoch) + sent.epochOffset }
  })
}

/** What the control has decided for a room, and for which manual setting. */
export type Decided = Pick<Valve, 'roomId' | 'controlPower' | 'controlWindowS' | 'controlledWish' | 'fallbackPower'>

export const decidedFor = (
  roomId: string,
  { controlPower, controlWindowS, controlledWish, fallbackPower }: Omit<Decided, 'roomId'>,
): Decided => ({ roomId, controlPower, controlWindowS, controlledWish, fallbackPower })

/** A command always names all channels; one without a room stays closed, unless it is tested. */
export function commandedValves(gateway: GatewayValves, nowMs: number): PowerCommand['valves'] {
  return Array.from({ length: gateway.channels }, (_, i) => {
    const channel = i + 1
    const valve = gateway.valves.find((each) => each.channel === channel)
    // The gateway leaves it alone; one that cannot would at least not heat against the other thermostat.
    if (valve && isWatched(valve)) return { channel, power: 0, window_s: SHORTEST_WINDOW_S }
    if (valve && isOutOfReach(gateway, valve)) return { channel, power: 0, window_s: windowOf(valve) }
    const tested = testPower(gateway, { gatewayId: gateway.gatewayId, channel }, valve, nowMs)
    if (tested !== null) return { channel, power: tested, window_s: SHORTEST_WINDOW_S }
    return valve
      ? { channel, power: powerOf(valve), window_s: windowOf(valve) }
      : { channel, power: 0, window_s: SHORTEST_WINDOW_S }
  })
}

const windowOf = ({ controlWindowS, floorType }: Valve): number => controlWindowS ?? WINDOW_S[floorType]

/** A gateway that does not guard its loops gets no cold water. */
const isOutOfReach = ({ coolSupplyC, canCool }: GatewayValves, { floorType }: Valve): boolean =>
  coolSupplyC !== null && !canCool && floorType !== 'electric'

/**
 * The share of a loop while it or another loop of its room is tested, null otherwise. The control may leave less of it,
 * to protect the floor of the room, or open a loop that a test keeps closed, against frost.
 */
function testPower(gateway: GatewayValves, loop: Loop, valve: Valve | undefined, nowMs: number): number | null {
  const { allValves, run } = gateway
  if (!run) return null
  const held = heldShare(run, loop, nowMs)
  if (!valve) return held
  const loops = allValves.filter(({ roomId }) => roomId === valve.roomId)
  const roomShare = heldRoomShare(run, loops, nowMs)
  if (roomShare === null) return null
  if (roomShare === 0) return valve.controlPower
  return rounded((held ?? 0) * Math.min(1, valve.controlPower / roomShare))
}

const rounded = (power: number): number => Math.round(power * 1000) / 1000

/**
 * With how much warmth each room can take, and what the grid leaves it. Neither is news by itself: it only goes along with
 * a command that is due.
 */
export function withCircumstances(
  commanded: PowerCommand['valves'],
  { valves, limits }: GatewayValves,
  nowMs: number,
): PowerCommand['valves'] {
  return commanded.map((entry) => {
    const valve = valves.find(({ channel }) => channel === entry.channel)
    if (!valve || isWatched(valve) || valve.manualEnabled === 1) return entry
    const left = roomLimitsOf(limits, valve.roomId)
      .slice(0, MOST_LIMITS)
      .map(({ fromMs, untilMs, share }) => ({
        from_s: Math.round((fromMs - nowMs) / 1000),
        until_s: Math.round((untilMs - nowMs) / 1000),
        power: rounded(share),
      }))
    return { ...entry, ...headroomOf(valve), ...(left.length > 0 && { limits: left }) }
  })
}

function headroomOf({ targetC, comfortBandK, temperatureC }: Valve): { headroom_k?: number } {
  if (temperatureC === null) return {}
  return { headroom_k: Math.round((targetC + comfortBandK - temperatureC) * 10) / 10 }
}
