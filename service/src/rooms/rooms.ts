import { normaliseSensorId, type RoomPatch, UUID_PATTERN } from '@hypocaust/domain'
import { errors } from '../errors.ts'
import { isStoreError, type Store } from '../store/store.ts'
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

/** All of the patch or nothing, on disk before it returns. */
export async function patchRoom(store: Store, scope: RoomScope, patch: RoomPatch): Promise<RoomRow> {
  const changes = changesOf(patch)
  if (Object.keys(changes).length > 0) await write(store, scope, changes)
  const room = await findRoom(store, scope)
  if (!room) throw errors.noSuchRoom(scope.roomId)
  return room
}

async function write({ db }: Store, { buildingId, roomId }: RoomScope, changes: ReturnType<typeof changesOf>) {
  try {
    await db.updateTable('rooms').set(changes).where('id', '=', roomId).where('buildingId', '=', buildingId).execute()
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
      'rooms.sensorId',
      'sensors.temperatureC',
      'sensors.humidityPct',
      'sensors.batteryPct',
      'sensors.rssiDbm',
      'sensors.measuredAt',
    ])
}
