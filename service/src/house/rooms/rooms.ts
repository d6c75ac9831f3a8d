import { UUID_PATTERN } from '@hypocaust/domain'
import type { Store } from '../../store/store.ts'
import type { RoomScope } from './write.ts'

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
      'sensors.address as sensorId',
      'sensors.temperatureC',
      'sensors.humidityPct',
      'sensors.batteryPct',
      'sensors.rssiDbm',
      'sensors.measuredAt',
    ])
}
