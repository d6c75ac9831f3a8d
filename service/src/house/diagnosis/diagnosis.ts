import { type Diagnosis, diagnose, type Examination, type Picture } from '@hypocaust/control'
import { DAY_MS } from '@hypocaust/domain'
import { statement } from '../../store/statement.ts'
import type { Store } from '../../store/store.ts'
import type { RoomScope } from '../rooms/write.ts'

/** An older one says nothing about now: the room is not heated here any more, or its days are not known. */
const COUNTS_MS = 3 * DAY_MS

export interface Diagnosed {
  examinedAt: number
  diagnosis: Diagnosis
  picture: Picture
}

/** What is probably wrong with each examined room of some buildings. */
export async function diagnosesIn(store: Store, buildingIds: string[], nowMs: number): Promise<Map<string, Diagnosed>> {
  const rows = await examinationRows.all(store, { buildingIds: store.statements.list(buildingIds) })
  const current = rows.filter(({ examinedAt }) => Math.abs(nowMs - examinedAt) < COUNTS_MS)
  const diagnosed = new Map<string, Diagnosed>()
  for (const inside of Map.groupBy(current, ({ buildingId }) => buildingId).values()) {
    const house = new Map(inside.map((row) => [row.roomId, JSON.parse(row.examination) as Examination]))
    for (const { roomId, examinedAt } of inside) {
      const { picture } = house.get(roomId) as Examination
      diagnosed.set(roomId, { examinedAt, diagnosis: diagnose(house, roomId), picture })
    }
  }
  return diagnosed
}

export const diagnosisOf = async (store: Store, { buildingId, roomId }: RoomScope, nowMs: number) =>
  (await diagnosesIn(store, [buildingId], nowMs)).get(roomId)

const examinationRows = statement((db, { buildingIds }: { buildingIds: unknown }, { isIn }) =>
  db
    .selectFrom('rooms')
    .innerJoin('roomExaminations', 'roomExaminations.roomId', 'rooms.id')
    .select(['rooms.buildingId', 'roomExaminations.roomId', 'examinedAt', 'examination'])
    .where(isIn('rooms.building_id', buildingIds))
    .where('rooms.watchedSince', 'is', null)
    .orderBy('rooms.id'),
)
