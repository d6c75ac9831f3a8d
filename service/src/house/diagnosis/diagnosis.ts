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

interface Asked {
  buildingIds: string[]
  roomIds: ReadonlySet<string>
}

/** What is probably wrong with some rooms. All rooms of a building are read, since causes of the house show in several. */
export async function diagnosesOf(
  store: Store,
  { buildingIds, roomIds }: Asked,
  nowMs: number,
): Promise<Map<string, Diagnosed>> {
  const rows = await examinationRows.all(store, { buildingIds: store.statements.list(buildingIds) })
  const current = rows.filter(({ examinedAt }) => Math.abs(nowMs - examinedAt) < COUNTS_MS)
  const diagnosed = new Map<string, Diagnosed>()
  for (const inside of Map.groupBy(current, ({ buildingId }) => buildingId).values()) {
    const asked = inside.filter(({ roomId }) => roomIds.has(roomId))
    if (asked.length === 0) continue
    const house = new Map(inside.map((row) => [row.roomId, JSON.parse(row.examination) as Examination]))
    for (const { roomId, examinedAt } of asked) {
      const { picture } = house.get(roomId) as Examination
      diagnosed.set(roomId, { examinedAt, diagnosis: diagnose(house, roomId), picture })
    }
  }
  return diagnosed
}

export const diagnosisOf = async (store: Store, { buildingId, roomId }: RoomScope, nowMs: number) =>
  (await diagnosesOf(store, { buildingIds: [buildingId], roomIds: new Set([roomId]) }, nowMs)).get(roomId)

const examinationRows = statement((db, { buildingIds }: { buildingIds: unknown }, { isIn }) =>
  db
    .selectFrom('rooms')
    .innerJoin('roomExaminations', 'roomExaminations.roomId', 'rooms.id')
    .select(['rooms.buildingId', 'roomExaminations.roomId', 'examinedAt', 'examination'])
    .where(isIn('rooms.building_id', buildingIds))
    .where('rooms.watchedSince', 'is', null)
    .orderBy('rooms.id'),
)
