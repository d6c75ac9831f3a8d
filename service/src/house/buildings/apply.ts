import { randomUUIDv7 } from 'node:crypto'
import { type HouseFile, type HouseRoom, normaliseSensorId, slugOf } from '@hypocaust/domain'
import { type Compilable, type RawBuilder, sql } from 'kysely'
import type { Clock } from '../../base/clock.ts'
import { NO_QUOTAS } from '../../base/quotas.ts'
import { batchWithin, buildingsOfAccount, ofBuilding } from '../../store/quotas.ts'
import type { Store } from '../../store/store.ts'
import { writeCalendars } from '../calendars/apply.ts'
import { calendarLimit, refuseMoreCalendars } from '../calendars/calendars.ts'
import { deriveWishes } from '../calendars/derive.ts'
import type { CalendarNetwork } from '../calendars/network.ts'
import {
  recordAddedBuilding,
  recordAddedGateway,
  recordAddedRoom,
  recordRemovedGateways,
  recordRemovedRooms,
} from '../change-log/record-things.ts'
import { recordingValves } from '../change-log/record-valves.ts'
import { coolingColumns } from '../cooling/settings.ts'
import { newGatewayToken } from '../gateways/token.ts'
import { hotWaterColumns } from '../hot-water/settings.ts'
import { insertOwner } from '../membership.ts'
import { columnsOfSettings, planColumns } from '../rooms/setting-columns.ts'
import { deleteRoomsBut, insertRoom, ROOM_DEFAULTS, replaceValves, updateRoom } from '../rooms/write.ts'
import { newSensorId, sensorIdsOf } from '../sensors.ts'
import { energyColumns } from '../source/settings.ts'
import { entriesCalled, keyOf } from './house-file.ts'
import { updateBuilding } from './write.ts'

interface ApplyOptions {
  accountId: string
  /** Take name, target and preset from the file also for rooms that exist. */
  overwriteSettings: boolean
  /** Delete rooms and gateways the file does not name. */
  prune: boolean
  /** Left out, calendars may be of public addresses only. */
  calendarNetwork?: CalendarNetwork
  /** What others are to learn of the rooms that are deleted, in the same transaction. */
  farewell?: (store: Store, roomIds: string[], nowMs: number) => Promise<Compilable[]>
}

export interface AppliedHouse {
  building: { id: string; name: string }
  rooms: { id: string; name: string }[]
  /** The token only of a gateway created just now. */
  gateways: { id: string; name: string; token?: string }[]
}

interface Existing {
  id: string
  key: string
  name: string
}

type ExistingRoom = Existing & { watchedSince: number | null }

/** Creates what is missing and changes the structure of what is there, all in one write. */
export async function applyHouse(
  store: Store,
  clock: Clock,
  house: HouseFile,
  options: ApplyOptions,
  quotas = NO_QUOTAS,
): Promise<AppliedHouse> {
  const now = clock.now()
  const found = await findBuildingByKey(store, options.accountId, keyOf(house))
  const building = found ?? { id: randomUUIDv7(), key: keyOf(house), name: house.name.trim() }
  const [oldGateways, oldRooms] = await Promise.all([gatewaysOf(store, building.id), roomsOf(store, building.id)])
  const sensors = await sensorsFor(store, building.id, house)

  const gateways = (house.gateways ?? []).map((entry) => ({ entry, ...matchGateway(entry, oldGateways) }))
  const rooms = house.rooms.map((entry, position) => ({ entry, position, ...matchRoom(entry, oldRooms, options) }))
  const gatewayIds = new Map(gateways.map(({ entry, id }) => [keyOf(entry), id]))

  const roomCalled = entriesCalled(rooms.map(({ entry, id }) => ({ ...entry, id })))
  const roomIdOf = (name: string) => roomCalled(name)?.id ?? ''
  const { calendars } = house

  const writes = [
    ...writeBuilding(store, house, building, { isNew: !found, now, ...options }),
    ...[...sensors.ids].map(([address, id]) => registerSensor(store, { id, address, buildingId: building.id }, now)),
    ...gateways.flatMap((gateway) => writeGateway(store, gateway, building.id, now)),
    ...rooms.flatMap((room) =>
      writeRoom(store, { ...room, ...sensorsOf(room.entry, sensors.ids) }, building.id, now, options),
    ),
    ...writeValves(store, now, building.id, rooms, gatewayIds),
    ...(calendars
      ? await writeCalendars(store, now, calendars, { ...options, buildingId: building.id, roomIdOf })
      : []),
    ...(await farewellTo(store, oldRooms, rooms, now, options)),
    ...(options.prune ? pruneRest(store, now, building.id, rooms, gateways) : []),
  ]
  // A building that has too many since a quota was lowered can still be changed, as long as the file adds none.
  const counted = [
    ...(found ? [] : [buildingsOfAccount(store, options.accountId)]),
    ...(rooms.some(({ isNew }) => isNew) ? [ofBuilding(store, 'rooms', building.id)] : []),
    ...(gateways.some(({ token }) => token !== undefined) ? [ofBuilding(store, 'gateways', building.id)] : []),
    ...(sensors.hasNew ? [ofBuilding(store, 'sensors', building.id)] : []),
  ]
  const limits = calendars ? [calendarLimit(store, building.id)] : []
  await batchWithin(store, quotas, writes, counted, limits).catch((error: unknown) => {
    refuseMoreCalendars(error)
    throw error
  })
  if (calendars) await deriveWishes(store, clock, building.id)
  return {
    building: { id: building.id, name: building.name },
    rooms: rooms.map(({ id, name }) => ({ id, name })),
    gateways: gateways.map(({ id, name, token }) => ({ id, name, ...(token !== undefined && { token }) })),
  }
}

type PlacedGateway = { entry: { key?: string; name: string }; id: string; name: string } & Partial<NewToken>
type NewToken = ReturnType<typeof newGatewayToken>
type PlacedRoom = {
  entry: HouseRoom
  position: number
  id: string
  name: string
  isNew: boolean
  watchedSince: number | null
}

function matchGateway(entry: { key?: string; name: string }, existing: Existing[]): Omit<PlacedGateway, 'entry'> {
  const found = existing.find(({ key }) => key === keyOf(entry))
  return found
    ? { id: found.id, name: found.name }
    : { id: randomUUIDv7(), name: entry.name.trim(), ...newGatewayToken() }
}

function matchRoom(entry: HouseRoom, existing: ExistingRoom[], { overwriteSettings }: ApplyOptions) {
  const found = existing.find(({ key }) => key === keyOf(entry))
  const name = found && !overwriteSettings ? found.name : entry.name.trim()
  return { id: found?.id ?? randomUUIDv7(), name, isNew: !found, watchedSince: found?.watchedSince ?? null }
}

function writeBuilding(
  store: Store,
  house: HouseFile,
  { id, key, name }: Existing,
  { isNew, now, accountId, overwriteSettings }: ApplyOptions & { isNew: boolean; now: number },
): Compilable[] {
  const { db } = store
  const { lat, lng } = house.location
  const { heatSource, ...energy } = energyColumns(house)
  const settings = { ...energy, ...coolingColumns(house.cooling), ...hotWaterColumns(house.hot_water) }
  const structure = { lat, lng, timezone: house.timezone, ...(heatSource !== undefined && { heatSource }) }
  const first = { createdAt: now, revisedAt: now }
  if (isNew)
    return [
      db.insertInto('buildings').values({ id, accountId, key, name, ...first, ...structure, ...settings }),
      insertOwner(store, id, accountId, now),
      recordAddedBuilding(store, now, { buildingId: id, name }),
    ]
  return updateBuilding(store, now, id, { ...structure, ...(overwriteSettings && settings) })
}

const registerSensor = (
  { db }: Store,
  sensor: { id: string; address: string; buildingId: string },
  createdAt: number,
): Compilable =>
  db
    .insertInto('sensors')
    .values({ ...sensor, createdAt })
    .onConflict((conflict) => conflict.columns(['buildingId', 'address']).doNothing())

function writeGateway(store: Store, gateway: PlacedGateway, buildingId: string, now: number): Compilable[] {
  const { entry, id, name, tokenHash, mqttHash } = gateway
  if (tokenHash === undefined) return []
  const row = { id, buildingId, key: keyOf(entry), name, tokenHash, mqttHash, createdAt: now }
  return [store.db.insertInto('gateways').values(row), recordAddedGateway(store, now, { buildingId, id, name })]
}

function writeRoom(
  store: Store,
  room: PlacedRoom & RoomSensors,
  buildingId: string,
  now: number,
  options: ApplyOptions,
): Compilable[] {
  const { entry, id, name, position, sensorId, floorSensorId } = room
  const structure = {
    position,
    floorType: entry.floor_type,
    sensorId,
    ...(floorSensorId !== undefined && { floorSensorId }),
    ...columnsOfSettings(entry),
  }
  const plan = planColumns({ nightMode: entry.night_mode ?? null, programme: entry.programme ?? null })
  // A plan made on the website stays where the file has none.
  const isPlanned = entry.night_mode !== undefined || entry.programme !== undefined
  const settings = {
    name,
    targetC: entry.target_temperature ?? ROOM_DEFAULTS.targetC,
    presetMode: entry.preset_mode ?? ROOM_DEFAULTS.presetMode,
    ...watchedSince(room, now),
  }
  if (room.isNew)
    return [
      insertRoom(store, { id, buildingId, key: keyOf(entry), ...structure, ...settings, ...plan, createdAt: now }),
      recordAddedRoom(store, now, { buildingId, roomId: id, name }),
    ]
  const changes = options.overwriteSettings
    ? { ...structure, ...settings, ...plan, override: null }
    : { ...structure, ...(isPlanned && plan) }
  return updateRoom(store, now, { buildingId, roomId: id }, changes)
}

/** A room that is watched already has been since then. */
function watchedSince({ entry, watchedSince: before }: PlacedRoom, now: number): { watchedSince?: number | null } {
  if (entry.only_watch === undefined) return {}
  return { watchedSince: entry.only_watch ? (before ?? now) : null }
}

/** The file says which channels work a room. */
const writeValves = (
  store: Store,
  now: number,
  buildingId: string,
  rooms: PlacedRoom[],
  gatewayIds: Map<string, string>,
): Compilable[] =>
  replaceValves(
    store,
    now,
    buildingId,
    rooms.map(({ id, entry, isNew }) => ({
      roomId: id,
      isNew,
      valves: entry.valves.map(({ gateway, channel }) => ({
        channel,
        gatewayId: gatewayIds.get(slugOf(gateway)) ?? '',
      })),
    })),
  )

async function farewellTo(
  store: Store,
  oldRooms: Existing[],
  kept: { id: string }[],
  now: number,
  { prune, farewell }: ApplyOptions,
): Promise<Compilable[]> {
  const removed = oldRooms.filter(({ id }) => !kept.some((room) => room.id === id))
  if (!prune || !farewell || removed.length === 0) return []
  return farewell(
    store,
    removed.map(({ id }) => id),
    now,
  )
}

function pruneRest(
  store: Store,
  now: number,
  buildingId: string,
  rooms: { id: string }[],
  gateways: { id: string }[],
): Compilable[] {
  const ids = (kept: { id: string }[]) => (kept.length > 0 ? kept.map(({ id }) => id) : [''])
  const [keptRooms, keptGateways] = [ids(rooms), ids(gateways)]
  const isNoneOf = (kept: string[]) => (id: RawBuilder<unknown>) => sql`${id} not in (${sql.join(kept)})`
  return [
    recordRemovedRooms(store, now, buildingId, isNoneOf(keptRooms)),
    recordRemovedGateways(store, now, buildingId, isNoneOf(keptGateways)),
    ...recordingValves(store, now, { buildingId }, [
      deleteRoomsBut(store, buildingId, keptRooms),
      store.db.deleteFrom('gateways').where('buildingId', '=', buildingId).where('id', 'not in', keptGateways),
    ]),
  ]
}

interface RoomSensors {
  sensorId: string
  /** Undefined where the file does not name one. */
  floorSensorId: string | null | undefined
}

function sensorsOf({ sensor, floor_sensor }: HouseRoom, ids: Map<string, string>): RoomSensors {
  const idOf = (address: string) => ids.get(normaliseSensorId(address)) ?? ''
  return { sensorId: idOf(sensor), floorSensorId: floor_sensor ? idOf(floor_sensor) : floor_sensor }
}

/** The sensors the file names by their addresses; those the building does not know yet get an id. */
async function sensorsFor(
  store: Store,
  buildingId: string,
  { rooms }: HouseFile,
): Promise<{ ids: Map<string, string>; hasNew: boolean }> {
  const known = await sensorIdsOf(store, buildingId)
  const named = rooms
    .flatMap(({ sensor, floor_sensor, other_sensors }) => [
      sensor,
      ...(floor_sensor ? [floor_sensor] : []),
      ...(other_sensors?.sensors.map(({ id }) => id) ?? []),
    ])
    .map(normaliseSensorId)
  return {
    ids: new Map(named.map((address) => [address, known.get(address) ?? newSensorId(buildingId, address)])),
    hasNew: named.some((address) => !known.has(address)),
  }
}

function findBuildingByKey({ db }: Store, accountId: string, key: string): Promise<Existing | undefined> {
  return db
    .selectFrom('buildings')
    .select(['id', 'key', 'name'])
    .where('accountId', '=', accountId)
    .where('key', '=', key)
    .executeTakeFirst()
}

const gatewaysOf = ({ db }: Store, buildingId: string): Promise<Existing[]> =>
  db.selectFrom('gateways').select(['id', 'key', 'name']).where('buildingId', '=', buildingId).execute()

const roomsOf = ({ db }: Store, buildingId: string): Promise<ExistingRoom[]> =>
  db.selectFrom('rooms').select(['id', 'key', 'name', 'watchedSince']).where('buildingId', '=', buildingId).execute()
