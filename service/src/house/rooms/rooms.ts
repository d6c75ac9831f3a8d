import { UUID_PATTERN } from '@hypocaust/domain'
import { statement } from '../../store/statement.ts'
import type { Store } from '../../store/store.ts'
import { type ByOthers, withOtherSensors } from '../room-sensors.ts'
import type { RoomScope } from './write.ts'

/** With the reading of the room: of its sensor, or of several together. */
export type RoomRow = Awaited<ReturnType<ReturnType<typeof selectRooms>['execute']>>[number] & Partial<ByOthers>

const roomsOfBuilding = statement((db, { buildingId }: { buildingId: string }) =>
  selectRooms({ db }, buildingId).orderBy('rooms.position').orderBy('rooms.id'),
)

const roomOfBuilding = statement((db, { buildingId, roomId }: RoomScope) =>
  selectRooms({ db }, buildingId).where('rooms.id', '=', roomId),
)

export const roomsOf = async (store: Store, buildingId: string): Promise<RoomRow[]> =>
  withOtherSensors(store, await roomsOfBuilding.all(store, { buildingId }))

export async function findRoom(store: Store, scope: RoomScope): Promise<RoomRow | undefined> {
  if (!UUID_PATTERN.test(scope.roomId)) return undefined
  const [row] = await withOtherSensors(store, await roomOfBuilding.all(store, scope))
  return row
}

/** By id, or by name whatever its case, across buildings: for the operator's command. */
export function findRooms({ db }: Store, idOrName: string): Promise<{ id: string; name: string; building: string }[]> {
  return db
    .selectFrom('rooms')
    .innerJoin('buildings', 'buildings.id', 'rooms.buildingId')
    .select(['rooms.id', 'rooms.name', 'buildings.name as building'])
    .where((eb) =>
      eb.or([eb('rooms.id', '=', idOrName), eb(eb.fn('lower', ['rooms.name']), '=', idOrName.toLowerCase())]),
    )
    .orderBy('rooms.id')
    .execute()
}

function selectRooms({ db }: Pick<Store, 'db'>, buildingId: string) {
  return db
    .selectFrom('rooms')
    .innerJoin('sensors', 'sensors.id', 'rooms.sensorId')
    .where('rooms.buildingId', '=', buildingId)
    .select([
      'rooms.id',
      'rooms.buildingId',
      'rooms.name',
      'rooms.otherSensors',
      'rooms.targetC',
      'rooms.presetMode',
      'rooms.manualEnabled',
      'rooms.manualPower',
      'rooms.controlPower',
      'rooms.cools',
      'rooms.controlledWish',
      'rooms.watchedSince',
      'sensors.address as sensorAddress',
      'sensors.temperatureC',
      'sensors.humidityPct',
      'sensors.batteryPct',
      'sensors.rssiDbm',
      'sensors.measuredAt',
    ])
}
