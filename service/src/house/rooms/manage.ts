import { randomUUIDv7 } from 'node:crypto'
import {
  type AppRoomPatch,
  DEFAULT_COMFORT_BAND_K,
  MAX_FLOOR_C,
  NEW_ROOM_TARGET_C,
  type NewRoom,
  normaliseSensorId,
  slugOf,
  type ValveRef,
} from '@hypocaust/domain'
import type { Compilable, Updateable } from 'kysely'
import type { Clock } from '../../base/clock.ts'
import { errors } from '../../base/errors.ts'
import { isStoreError, type Store } from '../../store/store.ts'
import { nightModeColumn, type RoomTable } from '../../store/tables.ts'
import { nextRevision } from '../revisions.ts'
import { changesOf } from './patch.ts'
import type { RoomScope } from './rooms.ts'

/** Everything of the patch or nothing, also valves and what belongs to the heating control. */
export async function changeRoom(store: Store, clock: Clock, scope: RoomScope, patch: AppRoomPatch): Promise<void> {
  const { db } = store
  const changes = { ...changesOf(patch), ...controlChangesOf(patch) }
  const { valves } = patch
  if (valves) await refuseForeignGateways(store, scope.buildingId, valves)
  const writes: Compilable[] = [
    ...(Object.keys(changes).length > 0
      ? [db.updateTable('rooms').set(changes).where('id', '=', scope.roomId).where('buildingId', '=', scope.buildingId)]
      : []),
    ...(valves ? valveWrites(store, scope.roomId, valves) : []),
  ]
  if (writes.length > 0) await writeStructure(store, clock, scope.buildingId, writes, patch)
}

export async function addRoom(store: Store, clock: Clock, buildingId: string, room: NewRoom): Promise<string> {
  const { db } = store
  const id = randomUUIDv7()
  await refuseForeignGateways(store, buildingId, room.valves)
  const rooms = await db.selectFrom('rooms').select('key').where('buildingId', '=', buildingId).execute()
  const name = room.name.trim()
  await writeStructure(
    store,
    clock,
    buildingId,
    [
      db.insertInto('rooms').values({
        id,
        buildingId,
        key: freeKey(slugOf(name) || 'unnamed', new Set(rooms.map(({ key }) => key))),
        name,
        position: rooms.length,
        floorType: room.floor_type,
        sensorId: normaliseSensorId(room.sensor_id),
        floorSensorId: null,
        areaM2: null,
        targetC: NEW_ROOM_TARGET_C,
        presetMode: 'none',
        manualEnabled: 0,
        manualPower: 0,
        comfortBandK: DEFAULT_COMFORT_BAND_K,
        nightMode: null,
        maxFloorC: MAX_FLOOR_C,
        controlPower: 0,
        createdAt: clock.now(),
      }),
      ...valveWrites(store, id, room.valves),
    ],
    room,
  )
  return id
}

export async function removeRoom(store: Store, clock: Clock, { buildingId, roomId }: RoomScope): Promise<void> {
  await writeStructure(store, clock, buildingId, [store.db.deleteFrom('rooms').where('id', '=', roomId)], {})
}

function controlChangesOf(patch: AppRoomPatch): Updateable<RoomTable> {
  const { floor_sensor_id: floorSensor, night_mode: nightMode } = patch
  return {
    ...(patch.floor_type !== undefined && { floorType: patch.floor_type }),
    ...(patch.area_m2 !== undefined && { areaM2: patch.area_m2 }),
    ...(patch.comfort_band !== undefined && { comfortBandK: patch.comfort_band }),
    ...(nightMode !== undefined && { nightMode: nightModeColumn(nightMode ?? undefined) }),
    ...(patch.max_floor_temperature !== undefined && { maxFloorC: patch.max_floor_temperature }),
    ...(floorSensor !== undefined && { floorSensorId: floorSensor === null ? null : normaliseSensorId(floorSensor) }),
  }
}

/** A channel works one room: an old tie gives way. */
function valveWrites({ db }: Store, roomId: string, valves: ValveRef[]): Compilable[] {
  return [
    db.deleteFrom('valves').where('roomId', '=', roomId),
    ...valves.flatMap(({ gateway_id: gatewayId, channel }) => [
      db.deleteFrom('valves').where('gatewayId', '=', gatewayId).where('channel', '=', channel),
      db.insertInto('valves').values({ roomId, gatewayId, channel }),
    ]),
  ]
}

async function refuseForeignGateways({ db }: Store, buildingId: string, valves: ValveRef[]): Promise<void> {
  const rows = await db.selectFrom('gateways').select('id').where('buildingId', '=', buildingId).execute()
  const foreign = valves.find(({ gateway_id }) => !rows.some(({ id }) => id === gateway_id))
  if (foreign) throw errors.invalidValue(`valves: no such gateway in this building: ${foreign.gateway_id}`)
}

/** With the building's revision, so that every process and every open page hears of it. */
async function writeStructure(
  store: Store,
  clock: Clock,
  buildingId: string,
  writes: Compilable[],
  { sensor_id, floor_sensor_id }: Pick<AppRoomPatch, 'sensor_id' | 'floor_sensor_id'>,
): Promise<void> {
  const revised = store.db
    .updateTable('buildings')
    .set({ revisedAt: nextRevision(clock.now()) })
    .where('id', '=', buildingId)
  try {
    await store.batch([...writes, revised])
  } catch (error) {
    if (isStoreError(error, 'foreign_key')) throw errors.unknownSensor(sensor_id ?? floor_sensor_id ?? '')
    throw error
  }
}

function freeKey(wished: string, taken: Set<string>): string {
  if (!taken.has(wished)) return wished
  for (let n = 2; ; n++) if (!taken.has(`${wished}-${n}`)) return `${wished}-${n}`
}
