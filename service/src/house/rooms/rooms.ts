import { normaliseSensorId, type RoomPatch, UUID_PATTERN } from '@hypocaust/domain'
import type { Clock } from '../../base/clock.ts'
import { errors } from '../../base/errors.ts'
import { isStoreError, type Store } from '../../store/store.ts'
import { nextRevision } from '../revisions.ts'
import { changesOf } from './patch.ts'

export interface RoomScope {
  buildingId: string
  roomId: string
}

export type RoomRow = Awaited<ReturnType<ReturnType<typeof selectRooms>['execute']>>[number]

export function roomsOf(store: Store, buildingId: string): Promise<RoomRow[]> {
  return selectRooms(store, buildingId).orderBy('rooms.position').orderBy('rooms.id').execute()
}

export async function findRoom(store: Store, scope: RoomScope): Promise<RoomRow | undefined> {
  if (!UUID_PATTERN.test(scope.roomId)) return undefined
  return selectRooms(store, scope.buildingId).where('rooms.id', '=', scope.roomId).executeTakeFirst()
}

/** By id, or by name whatever its case, across buildings: for the operator's command. */
export function findRooms({ db }: Store, idOrName: string): Promise<{ id: string; name: string }[]> {
  return db
    .selectFrom('rooms')
    .select(['id', 'name'])
    .where((eb) => eb.or([eb('id', '=', idOrName), eb(eb.fn('lower', ['name']), '=', idOrName.toLowerCase())]))
    .orderBy('id')
    .execute()
}

/** All of the patch or nothing, on disk before it returns. */
export async function patchRoom(store: Store, clock: Clock, scope: RoomScope, patch: RoomPatch): Promise<RoomRow> {
  const changes = changesOf(patch)
  if (Object.keys(changes).length > 0) await write(store, clock, scope, changes)
  const room = await findRoom(store, scope)
  if (!room) throw errors.noSuchRoom(scope.roomId)
  return room
}

type Changes = ReturnType<typeof changesOf>

async function write(store: Store, clock: Clock, { buildingId, roomId }: RoomScope, changes: Changes): Promise<void> {
  const { db } = store
  try {
    await store.batch([
      db.updateTable('rooms').set(changes).where('id', '=', roomId).where('buildingId', '=', buildingId),
      db
        .updateTable('buildings')
        .set({ revisedAt: nextRevision(clock.now()) })
        .where('id', '=', buildingId),
    ])
  } catch (error) {
    if (isStoreError(error, 'foreign_key')) throw errors.unknownSensor(normaliseSensorId(changes.sensorId ?? ''))
    throw error
  }
}

function selectRooms({ db }: Store, buildingId: string) {
  return db
    .selectFrom('rooms')
    .innerJoin('sensors', 'sensors.id', 'rooms.sensorId')
    .where('rooms.buildingId', '=', buildingId)
    .select([
      'rooms.id',
      'rooms.name',
      'rooms.targetC',
      'rooms.presetMode',
      'rooms.manualEnabled',
      'rooms.manualPower',
      'rooms.controlPower',
      'rooms.controlledWish',
      'rooms.sensorId',
      'sensors.temperatureC',
      'sensors.humidityPct',
      'sensors.batteryPct',
      'sensors.rssiDbm',
      'sensors.measuredAt',
    ])
}
