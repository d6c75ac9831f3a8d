import type {
  AirTemp,
  Cooling,
  Energy,
  Forecast,
  RoomControl,
  RoomSettings,
  StepInput,
  Supply,
  Unreached,
  Weather,
} from '@hypocaust/control'
import { airFrom, sharedEvidence, strategyOf } from '@hypocaust/control'
import { type Blinds, fallbackAfterS, powerByContract, WINDOW_S } from '@hypocaust/domain'
import type { Selectable } from 'kysely'
import { rowsByKey } from '../../store/rows-by-key.ts'
import { statement } from '../../store/statement.ts'
import type { Store } from '../../store/store.ts'
import type { RoomTable } from '../../store/tables/rooms.ts'
import { mouldWarmingOf, SURFACE_COLUMNS } from '../air/surface-record.ts'
import type { Availability } from '../buildings/buildings.ts'
import { windowsOf } from '../contacts/contacts.ts'
import { type BuildingCooling, coolingAt } from '../cooling/season.ts'
import { canCool, isCooling } from '../cooling/settings.ts'
import { forcedPower } from '../gateways/conditions.ts'
import { fallbackOf } from '../gateways/config.ts'
import { busySpans } from '../hot-water/busy.ts'
import { heldOverride, type LoopRun, runOf } from '../loop-run/run.ts'
import { type ByOthers, withOtherSensors } from '../room-sensors.ts'
import { scheduleInputsOf } from '../rooms/schedule-inputs.ts'
import { isWatched } from '../rooms/watch.ts'
import { circuitOfRoom } from '../source/circuits.ts'
import { energyFor } from '../source/energy.ts'
import { roomLimitsOf, sharedLimitsOf } from '../source/power-limit.ts'
import { gridOf, sunnyOf, supplyOf } from '../source/supply.ts'
import { outdoorAirFor, weatherFor } from '../weather/weather.ts'
import {
  BUILDING_SETTINGS,
  type ControlledBuilding,
  type ControlledGateway,
  type ControlledValve,
  readBuilding,
} from './controlled-building.ts'
import { type KeptStates, statesOf } from './kept-states.ts'
import { watchedFlow } from './watched-flow.ts'

export type ControlledRoom = Pick<
  Selectable<RoomTable>,
  | 'id'
  | 'buildingId'
  | (typeof ROOM_SETTINGS)[number]
  | (typeof SURFACE_COLUMNS)[number]
  | 'controlPower'
  | 'controlWindowS'
  | 'cools'
  | 'controlledWish'
  | 'fallbackPower'
  | 'aimC'
  | 'warmingFor'
> &
  Partial<ByOthers> & {
    temperatureC: number | null
    humidityPct: number | null
    sensorAddress: string
    measuredAt: number | null
    floorC: number | null
    floorMeasuredAt: number | null
    version: number | null
    state: RoomControl | null
    keptAt: number | null
    keptGist: string | null
  }

export interface ControlInputs {
  building: ControlledBuilding
  /** A test of the building's loops. */
  run: LoopRun | null
  rooms: ControlledRoom[]
  weather: Weather | null
  forecast: Forecast | null
  energy: Energy | null
  /** Read only where the building may cool. */
  outdoors: Awaited<ReturnType<typeof outdoorAirFor>>
  /** All of the building, also those that work no valve. */
  gateways: ControlledGateway[]
  valves: ControlledValve[]
  /** Of the rooms that have contacts. */
  windows: ReadonlyMap<string, 'open' | 'closed'>
  /** What other thermostats give the rooms that are only watched, where that is reported. */
  watchedFlow: ReadonlyMap<string, number>
}

const ROOM_SETTINGS = [
  'floorType',
  'targetC',
  'targetHold',
  'presetMode',
  'manualEnabled',
  'manualPower',
  'coolingTargetC',
  'comfortBandK',
  'nightMode',
  'programme',
  'override',
  'floorTimes',
  'targetOf',
  'blinds',
  'usedBy',
  'warmAgainK',
  'maxFloorC',
  'watchedSince',
  'areaM2',
  'sensorId',
  'otherSensors',
  'floorSensorId',
] as const

// Two processes that write the rooms of one building in different orders would wait for each other.
const rooms = statement((db, { keys }: { keys: unknown }, { isIn }) =>
  db
    .selectFrom('rooms')
    .innerJoin('sensors', 'sensors.id', 'rooms.sensorId')
    .leftJoin('sensors as floor', 'floor.id', 'rooms.floorSensorId')
    .leftJoin('controlStates', 'controlStates.roomId', 'rooms.id')
    .where(isIn('rooms.building_id', keys))
    .select([...ROOM_SETTINGS, ...SURFACE_COLUMNS].map((column) => `rooms.${column}` as const))
    .select([
      'rooms.id',
      'rooms.buildingId',
      'rooms.controlPower',
      'rooms.controlWindowS',
      'rooms.cools',
      'rooms.controlledWish',
      'rooms.fallbackPower',
      'rooms.aimC',
      'rooms.warmingFor',
      'sensors.temperatureC',
      'sensors.humidityPct',
      'sensors.address as sensorAddress',
      'sensors.measuredAt',
      'floor.temperatureC as floorC',
      'floor.measuredAt as floorMeasuredAt',
      'controlStates.version',
      'controlStates.keptAt',
      'controlStates.keptGist',
    ])
    .orderBy('rooms.id'),
)
const roomsOf = rowsByKey(rooms, ({ buildingId }) => buildingId)

/**
 * Everything the law needs for a building: three reads, shared by all buildings of a turn, and one more each for states
 * that are not kept, for prices of a market and for rooms that are only watched.
 */
export async function readInputs(
  store: Store,
  buildingId: string,
  nowMs: number,
  kept?: KeptStates,
): Promise<ControlInputs | undefined> {
  // Before its rooms: of a change between the two, the revision that has been followed is then the one before it. And a
  // process that numbers a command right after the one read here has seen every power that one can have seen.
  const found = await readBuilding(store, buildingId)
  if (!found) return undefined
  const { building, gateways, valves, contacts } = found
  const [rooms, known, energy] = await Promise.all([
    roomsWithStates(store, buildingId, kept),
    weatherFor(store, building, nowMs),
    energyFor(store, building, nowMs),
  ])
  const flow = rooms.some(isWatched) ? await watchedFlow(store, buildingId, nowMs) : new Map<string, number>()
  const run = runOf(building.loopRun)
  const windows = windowsOf(contacts, nowMs)
  const outdoors = building.cooling === null ? [] : await outdoorAirFor(store, building, nowMs)
  return { building, run, rooms, gateways, valves, windows, ...known, energy, outdoors, watchedFlow: flow }
}

async function roomsWithStates(store: Store, buildingId: string, kept?: KeptStates): Promise<ControlledRoom[]> {
  const rooms = await withOtherSensors(store, await roomsOf(store, buildingId))
  const states = await statesOf(store, rooms, kept)
  return rooms.map((room) => ({ ...room, state: states.get(room.id) ?? null }))
}

/** For each room, what its step goes by as far as people have set it: settings of both, valves and contacts. */
export function settingsIn(
  { building, valves, windows }: ControlInputs,
  nowMs: number,
): (room: ControlledRoom) => unknown[] {
  const ofBuilding = BUILDING_SETTINGS.map((name) => building[name])
  const valvesOf = Map.groupBy(valves, ({ roomId }) => roomId)
  return (room) => {
    const settings: unknown[] = [...ofBuilding]
    for (const name of ROOM_SETTINGS) settings.push(room[name])
    const against = mouldWarmingOf(room, nowMs)?.mould
    settings.push(windows.get(room.id), against?.dryAtC, against?.mostK)
    for (const { gatewayId, channel } of valvesOf.get(room.id) ?? []) settings.push(gatewayId, channel)
    return settings
  }
}

/** How the rooms of a building are cooled; null where it has no season. */
export const coolingIn = (
  { building, rooms, gateways, outdoors, weather, run }: ControlInputs,
  availability: Availability,
  nowMs: number,
): BuildingCooling | null =>
  coolingAt(
    {
      ...{ building, rooms, gateways, outdoors, outdoorC: weather?.outdoorC ?? null },
      heatsScreed: run?.kind === 'screed' && !run.ended,
    },
    availability,
    nowMs,
  )

/** Of its water loops, whose gateways all have to be able to cool; null while the building heats. */
function roomCooling(cooling: BuildingCooling | null, inputs: ControlInputs, room: ControlledRoom): Cooling | null {
  if (!cooling || !isCooling(cooling.state) || room.floorType === 'electric') return null
  const own = inputs.valves.filter(({ roomId }) => roomId === room.id)
  return {
    targetC: own.every(canCool) ? room.coolingTargetC : null,
    dewC: cooling.dewC.get(room.id) ?? null,
    waterC: cooling.waterC,
  }
}

/** One command names all channels of a gateway, so a room shares its fallback with the slowest floor beside it. */
function fallbackAfterOf({ rooms, valves }: ControlInputs, room: ControlledRoom): number {
  const gateways = new Set(valves.filter(({ roomId }) => roomId === room.id).map(({ gatewayId }) => gatewayId))
  const beside = new Set(valves.filter(({ gatewayId }) => gateways.has(gatewayId)).map(({ roomId }) => roomId))
  const floors = rooms.filter(({ id }) => id === room.id || beside.has(id)).map(({ floorType }) => floorType)
  return fallbackAfterS(floors.map((floorType) => WINDOW_S[floorType]))
}

/** A long gap was bridged by the gateway's fallback; a locked source or a relay that does not follow gives what it gives. */
function appliedPower(inputs: ControlInputs, room: ControlledRoom, gapS: number): number | null {
  if (isWatched(room)) return inputs.watchedFlow.get(room.id) ?? 0
  // Never shorter than for its own floor: as a rule the gap is, and nobody beside it matters.
  if (gapS > fallbackAfterS([WINDOW_S[room.floorType]]) && gapS > fallbackAfterOf(inputs, room))
    return room.cools === 1 ? 0 : room.fallbackPower
  const own = inputs.valves.filter(({ roomId }) => roomId === room.id)
  const forced = own.map((valve) => forcedPower(valve, valve.channel, room.floorType === 'electric'))
  if (forced.every((power) => power === null)) return null
  const commanded = room.controlPower
  return forced.reduce((sum: number, power) => sum + (power ?? commanded), 0) / forced.length
}

/** By the newest heartbeat of the gateways that work the room. */
function unreachedOf(
  inputs: ControlInputs,
  room: ControlledRoom,
  { silentAfterS }: Availability,
  nowMs: number,
): Unreached | null {
  if (isWatched(room)) return watchedBy(inputs, room)
  const own = inputs.valves.filter(({ roomId }) => roomId === room.id)
  if (own.length === 0) return { kind: 'no-valve' }
  const seen = own.flatMap(({ lastSeenAt }) => lastSeenAt ?? [])
  if (seen.length === 0) return { kind: 'no-gateway' }
  const silentS = (nowMs - Math.max(...seen)) / 1000
  if (silentS <= silentAfterS) return null
  const power = powerByContract({
    silentS,
    fallbackAfterS: fallbackAfterOf(inputs, room),
    commanded: room.controlPower,
    // Without commands the gateway closes what is cooled.
    fallback: room.cools === 1 ? 0 : fallbackOf(room),
  })
  return { kind: 'gateway-lost', power }
}

function watchedBy({ watchedFlow: flow }: ControlInputs, { id }: ControlledRoom): Unreached {
  const power = flow.get(id)
  return power === undefined ? { kind: 'watched-unseen' } : { kind: 'watched', power }
}

/** A room that another thermostat heats may hang on another source. */
const othersBeside = ({ rooms }: ControlInputs, { id }: ControlledRoom): (RoomControl | null)[] =>
  rooms.filter((other) => other.id !== id && !isWatched(other)).map(({ state }) => state)

/** For each room of a building. What its rooms share is worked out once. */
export function stepInputsOf(
  inputs: ControlInputs,
  availability: Availability,
  nowMs: number,
): (room: ControlledRoom) => StepInput {
  const { building, weather, forecast, gateways } = inputs
  const location = { lat: building.lat, lng: building.lng }
  const energy = energyNow(inputs, availability, nowMs)
  const busy = busySpans(building, gateways, availability, nowMs)
  const supply = supplyOf(gateways, availability, nowMs)
  const shared = sharedLimitsOf(building)
  const cooling = coolingIn(inputs, availability, nowMs)
  return (room) => {
    const ofRoom = roomCooling(cooling, inputs, room)
    const gapS = room.state === null ? 0 : (nowMs - room.state.updatedMs) / 1000
    return {
      nowMs,
      floorType: room.floorType,
      location,
      settings: { ...settingsOf(building, room, nowMs), ...testOf(inputs, room, nowMs) },
      air: airOf(room, nowMs),
      coldestC: room.coldestC ?? null,
      floorProbeC: freshFloorC(room, nowMs),
      weather,
      forecast,
      appliedPower: appliedPower(inputs, room, gapS),
      otherRooms: sharedEvidence(room.floorType, othersBeside(inputs, room)),
      unreached: unreachedOf(inputs, room, availability, nowMs),
      window: inputs.windows.get(room.id) ?? null,
      energy,
      limits: roomLimitsOf(shared, room.id),
      ...(busy && room.floorType !== 'electric' && { busy }),
      supply: ofRoom
        ? { measuredC: cooling?.measuredC ?? null, setC: supply?.setC ?? null }
        : waterOf(inputs, room, supply),
      cooling: ofRoom,
    }
  }
}

/** Behind a mixer, what is measured at the source says nothing. */
function waterOf({ valves }: ControlInputs, room: ControlledRoom, ofSource: Supply | null): Supply | null {
  const circuit = circuitOfRoom(valves.filter(({ roomId }) => roomId === room.id))
  return circuit ? { measuredC: null, setC: circuit.setC } : ofSource
}

/** What heat costs, with what gateways report of the grid and of own sun. */
export const energyNow = ({ energy, gateways }: ControlInputs, availability: Availability, nowMs: number) =>
  withGrid(energy, gridOf(gateways, availability, nowMs), sunnyOf(gateways, availability, nowMs))

const withGrid = (energy: Energy | null, grid: Energy['grid'], sunny: NonNullable<Energy['sunny']>): Energy | null =>
  grid || sunny.length > 0
    ? { prices: null, source: null, ...energy, ...(grid && { grid }), ...(sunny.length > 0 && { sunny }) }
    : energy

/** The highest limit of a floor that the law knows. */
const BARE_SCREED_C = 45

/** A loop that is tested does what the test says, as long as the floor and the frost protection allow it. */
function testOf({ run, valves }: ControlInputs, room: ControlledRoom, nowMs: number) {
  if (isWatched(room)) return null
  const override = heldOverride(
    run,
    valves.filter(({ roomId }) => roomId === room.id),
    nowMs,
  )
  if (!override) return null
  // No covering is laid yet, and the source gives no warmer water than the programme asks for.
  return run?.kind === 'screed' ? { override, maxFloorC: BARE_SCREED_C } : { override }
}

const settingsOf = (building: ControlledBuilding, room: ControlledRoom, nowMs: number): RoomSettings => ({
  ...scheduleInputsOf(building, room),
  bandK: room.comfortBandK,
  strategy: strategyOf(building.comfort),
  presetMode: room.presetMode,
  maxFloorC: room.maxFloorC,
  frostProtection: building.frostProtection === 1,
  ...mouldWarmingOf(room, nowMs),
  ...(room.targetOf === 'floor' && { targetOf: room.targetOf }),
  ...blindsOf(room),
})

function blindsOf({ blinds }: ControlledRoom): Pick<Required<RoomSettings>, 'blinds'> | null {
  if (blinds === null) return null
  const { sides, above } = JSON.parse(blinds) as Blinds
  return { blinds: { sides, aboveC: above } }
}

const readingOf = (airC: number | null, atMs: number | null) => (airC === null || atMs === null ? null : { airC, atMs })

/** A probe in the floor that is the only sensor of its room says nothing of the air. */
const airOf = (room: ControlledRoom, nowMs: number): AirTemp =>
  room.targetOf === 'floor' && room.sensorId === room.floorSensorId
    ? { kind: 'missing' }
    : airFrom(readingOf(room.temperatureC, room.measuredAt), nowMs)

function freshFloorC({ floorC, floorMeasuredAt }: ControlledRoom, nowMs: number): number | null {
  const air = airFrom(readingOf(floorC, floorMeasuredAt), nowMs)
  return air.kind === 'fresh' ? air.airC : null
}
