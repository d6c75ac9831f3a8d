import { randomUUIDv7 } from 'node:crypto'
import {
  type AppRoomPatch,
  type NewRoom,
  normaliseOtherSensors,
  normaliseSensorId,
  programmeProblems,
  type RoomPatch,
  slugOf,
  type ValveRef,
} from '@hypocaust/domain'
import { type Compilable, sql, type Updateable } from 'kysely'
import type { Clock } from '../../base/clock.ts'
import { errors } from '../../base/errors.ts'
import { NO_QUOTAS } from '../../base/quotas.ts'
import type { Store } from '../../store/store.ts'
import type { RoomTable } from '../../store/tables/rooms.ts'
import { recordAddedRoom, recordRemovedRooms } from '../change-log/record-things.ts'
import { raiseRevisionOfRoom } from '../revisions.ts'
import { requireSensors, sensorIdOf } from '../sensors.ts'
import { holdChanges } from './hold.ts'
import { changesOf } from './patch.ts'
import { findRoom, type RoomRow, roomsOf } from './rooms.ts'
import { columnsOfSettings, planColumns } from './setting-columns.ts'
import { watchChanges } from './watch.ts'
import {
  commitRooms,
  deleteRoom,
  insertRoom,
  type RoomScope,
  type RoomValve,
  replaceValves,
  type SeenRoom,
  updateRoom,
} from './write.ts'

/** Everything of the patch or nothing, also valves and what belongs to the heating control; on disk before it returns. */
export async function changeRoom(
  store: Store,
  clock: Clock,
  scope: RoomScope,
  patch: AppRoomPatch,
  seen?: SeenRoom,
): Promise<void> {
  const nowMs = clock.now()
  const { update, ofValves } = await writesOf(store, nowMs, scope, patch, seen)
  const writes = [...update, ...ofValves]
  if (writes.length === 0) return
  const [, ...results] = await store.batch([raiseRevisionOfRoom.with(store, { ...scope, nowMs }), ...writes])
  const updated = results[update.length - 1]
  if (seen && updated?.affectedRows === 0) throw errors.preconditionFailed(seen.what)
}

/** All patches or none; the rooms as they are afterwards, in the same order. */
export async function patchRooms(
  store: Store,
  clock: Clock,
  buildingId: string,
  patches: { roomId: string; patch: RoomPatch }[],
): Promise<RoomRow[]> {
  const nowMs = clock.now()
  const writes = await Promise.all(
    patches.map(({ roomId, patch }) => writesOf(store, nowMs, { buildingId, roomId }, patch)),
  )
  await commitRooms(
    store,
    clock,
    buildingId,
    writes.flatMap(({ update }) => update),
    { needed: patches.map(({ roomId }) => roomId) },
  )
  const rooms = new Map((await roomsOf(store, buildingId)).map((room) => [room.id, room]))
  return patches.map(({ roomId }) => {
    const room = rooms.get(roomId)
    if (!room) throw errors.noSuchRoom(roomId)
    return room
  })
}

/** What a patch writes; refuses one that cannot be. The last of `update` changes the room itself. */
async function writesOf(
  store: Store,
  nowMs: number,
  scope: RoomScope,
  patch: AppRoomPatch,
  seen?: SeenRoom,
): Promise<{ update: Compilable[]; ofValves: Compilable[] }> {
  const { valves, floor_sensor_id: floorSensor } = patch
  const { sensorAddress, ...columns } = changesOf(patch)
  const sensors = {
    ...(sensorAddress !== undefined && { sensorId: await sensorIdOf(store, scope.buildingId, sensorAddress) }),
    ...(floorSensor !== undefined && {
      floorSensorId:
        floorSensor === null ? null : await sensorIdOf(store, scope.buildingId, normaliseSensorId(floorSensor)),
    }),
  }
  if (patch.other_sensors) await requireSensors(store, scope.buildingId, normaliseOtherSensors(patch.other_sensors))
  if (valves) await refuseForeignGateways(store, scope.buildingId, valves)
  const watched = await watchChanges(store, scope, patch, columns, nowMs)
  const held = await holdChanges(store, scope, patch, nowMs)
  const changes = { ...columns, ...held, ...controlChangesOf(patch), ...sensors, ...watched }
  const ofRoom = valves && { roomId: scope.roomId, valves: valves.map(valveOf) }
  return {
    update: updateRoom(store, nowMs, scope, changes, { seen: seen?.columns }),
    ofValves: ofRoom ? replaceValves(store, nowMs, scope.buildingId, [ofRoom]) : [],
  }
}

/** Leaves a room to another thermostat, or takes it over. */
export async function changeWatching(store: Store, clock: Clock, room: { id: string }, onlyWatch: boolean) {
  const row = await store.db.selectFrom('rooms').select('buildingId').where('id', '=', room.id).executeTakeFirst()
  if (!row) throw errors.noSuchRoom(room.id)
  await changeRoom(store, clock, { buildingId: row.buildingId, roomId: room.id }, { only_watch: onlyWatch })
}

/** As on /v1: the room as it is afterwards. With `seen`, only if its settings are still those. */
export async function patchRoom(
  store: Store,
  clock: Clock,
  scope: RoomScope,
  patch: RoomPatch,
  seen?: RoomRow,
): Promise<RoomRow> {
  await changeRoom(store, clock, scope, patch, seen && (await settingsOf(store, scope, seen)))
  const room = await findRoom(store, scope)
  if (!room) throw errors.noSuchRoom(scope.roomId)
  return room
}

/** What a holder sets and reads back. */
async function settingsOf(store: Store, { buildingId }: RoomScope, seen: RoomRow): Promise<SeenRoom> {
  const { name, targetC, presetMode, manualEnabled, manualPower } = seen
  const sensorId = await sensorIdOf(store, buildingId, seen.sensorAddress)
  return { what: 'room', columns: { name, targetC, presetMode, manualEnabled, manualPower, sensorId } }
}

export async function addRoom(
  store: Store,
  clock: Clock,
  buildingId: string,
  room: NewRoom,
  quotas = NO_QUOTAS,
): Promise<string> {
  const roomId = randomUUIDv7()
  await refuseForeignGateways(store, buildingId, room.valves)
  const others = await store.db.selectFrom('rooms').select('key').where('buildingId', '=', buildingId).execute()
  const name = room.name.trim()
  const row = {
    id: roomId,
    buildingId,
    key: freeKey(slugOf(name) || 'unnamed', new Set(others.map(({ key }) => key))),
    name,
    position: others.length,
    floorType: room.floor_type,
    icon: room.icon ?? null,
    sensorId: await sensorIdOf(store, buildingId, normaliseSensorId(room.sensor_id)),
    createdAt: clock.now(),
  }
  const nowMs = clock.now()
  const writes = [
    insertRoom(store, row),
    recordAddedRoom(store, nowMs, { buildingId, roomId, name }),
    ...replaceValves(store, nowMs, buildingId, [{ roomId, isNew: true, valves: room.valves.map(valveOf) }]),
  ]
  await commitRooms(store, clock, buildingId, writes, { quotas })
  return roomId
}

/** `farewell` is what others are to learn of it, in the same transaction. */
export async function removeRoom(
  store: Store,
  clock: Clock,
  scope: RoomScope,
  farewell: Compilable[] = [],
): Promise<void> {
  const gone = recordRemovedRooms(store, clock.now(), scope.buildingId, (id) => sql`${id} = ${scope.roomId}`)
  await commitRooms(store, clock, scope.buildingId, [gone, ...farewell, deleteRoom(store, scope)])
}

const valveOf = ({ gateway_id, channel }: ValveRef): RoomValve => ({ gatewayId: gateway_id, channel })

function controlChangesOf(patch: AppRoomPatch): Updateable<RoomTable> {
  return {
    ...(patch.floor_type !== undefined && { floorType: patch.floor_type }),
    ...columnsOfSettings(patch),
    ...planChangesOf(patch),
  }
}

function planChangesOf({ night_mode: nightMode, programme }: AppRoomPatch): Updateable<RoomTable> {
  if (nightMode && programme) throw errors.invalidValue('Either night_mode or programme must be given.')
  const [problem] = programme ? programmeProblems(programme) : []
  if (problem) throw errors.invalidValue(`${['programme', ...problem.path].join('.')} ${problem.message}.`)
  if (nightMode) return planColumns({ nightMode })
  if (programme) return planColumns({ programme })
  return {
    ...(nightMode === null && { nightMode: null }),
    ...(programme === null && { programme: null }),
  }
}

/** The same plan for other rooms of the building. */
export async function copyPlan(store: Store, clock: Clock, from: RoomScope, toIds: string[]): Promise<void> {
  const { buildingId, roomId } = from
  const rooms = await store.db
    .selectFrom('rooms')
    .select(['id', 'nightMode', 'programme'])
    .where('buildingId', '=', buildingId)
    .execute()
  const missing = toIds.find((id) => !rooms.some((room) => room.id === id))
  if (missing !== undefined) throw errors.noSuchRoom(missing)
  const source = rooms.find(({ id }) => id === roomId)
  if (!source) throw errors.noSuchRoom(roomId)
  const { nightMode, programme } = source
  const writes = toIds.flatMap((id) =>
    updateRoom(store, clock.now(), { buildingId, roomId: id }, { nightMode, programme }),
  )
  await commitRooms(store, clock, buildingId, writes, { needed: toIds })
}

async function refuseForeignGateways({ db }: Store, buildingId: string, valves: ValveRef[]): Promise<void> {
  const rows = await db.selectFrom('gateways').select('id').where('buildingId', '=', buildingId).execute()
  const foreign = valves.find(({ gateway_id }) => !rows.some(({ id }) => id === gateway_id))
  if (foreign) throw errors.invalidValue(`valves: no such gateway in this building: ${foreign.gateway_id}`)
}

function freeKey(preferred: string, taken: Set<string>): string {
  if (!taken.has(preferred)) return preferred
  for (let n = 2; ; n++) if (!taken.has(`${preferred}-${n}`)) return `${preferred}-${n}`
}
