import type { Compilable, Selectable, SqlBool, Updateable } from 'kysely'
import { sql } from 'kysely'
import type { Store } from '../../store/store.ts'
import type { RoomTable } from '../../store/tables/rooms.ts'
import { isRoomAsSeen } from '../change-log/record-settings.ts'

type Changes = Pick<Updateable<RoomTable>, 'sensorId' | 'otherSensors'>

/** What a room measured until now stays its history, whatever measures it from now on. Belongs before the update. */
export function rememberSensors(
  { db }: Store,
  nowMs: number,
  { buildingId, roomId }: { buildingId: string; roomId: string },
  { sensorId, otherSensors }: Changes,
  seen?: Partial<Selectable<RoomTable>>,
): Compilable[] {
  if (sensorId === undefined && otherSensors === undefined) return []
  return [
    db
      .insertInto('formerSensors')
      .columns(['roomId', 'untilAt', 'sensorId', 'otherSensors'])
      .expression((eb) =>
        eb
          .selectFrom('rooms')
          .select([
            'rooms.id',
            sql<number>`cast(${nowMs} as bigint)`.as('untilAt'),
            'rooms.sensorId',
            'rooms.otherSensors',
          ])
          .where('rooms.id', '=', roomId)
          .where('rooms.buildingId', '=', buildingId)
          .where((where) =>
            where.or([
              ...(sensorId === undefined ? [] : [where('rooms.sensorId', '!=', sensorId)]),
              ...(otherSensors === undefined ? [] : [where('rooms.otherSensors', 'is distinct from', otherSensors)]),
            ]),
          )
          .where(seen ? isRoomAsSeen(seen) : sql<SqlBool>`1 = 1`),
      )
      .onConflict((conflict) => conflict.columns(['roomId', 'untilAt']).doNothing()),
  ]
}
