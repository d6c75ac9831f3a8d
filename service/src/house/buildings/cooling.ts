import { type CoolingPut, type CoolingSettings, HEATS_ALWAYS } from '@hypocaust/domain'
import { sql } from 'kysely'
import type { Clock } from '../../base/clock.ts'
import { errors } from '../../base/errors.ts'
import type { Limit } from '../../store/batch.ts'
import { isStoreError, type Store } from '../../store/store.ts'
import { coolingColumns, coolingProblemOf, coolingSettingsOf } from '../cooling/settings.ts'
import { columnsOfSettings } from '../rooms/setting-columns.ts'
import { updateRoom } from '../rooms/write.ts'
import { updateBuilding } from './write.ts'

/** Season, changeover and the targets of the rooms that are named. With `seen`, only what is still as it was then. */
export async function putCooling(
  store: Store,
  clock: Clock,
  buildingId: string,
  put: CoolingPut,
  seen?: SeenCooling,
): Promise<void> {
  const { db } = store
  const building = await db.selectFrom('buildings').select('cooling').where('id', '=', buildingId).executeTakeFirst()
  if (!building) throw errors.noSuchBuilding(buildingId)
  const known = await db.selectFrom('rooms').select('id').where('buildingId', '=', buildingId).execute()
  const targets = (put.rooms ?? []).map((room) => ({ ...room, room_id: room.room_id.toLowerCase() }))
  const stranger = targets.find(({ room_id }) => !known.some(({ id }) => id === room_id))
  if (stranger) throw errors.invalidValue(`rooms: no such room in this building: ${stranger.room_id}`)
  if (new Set(targets.map(({ room_id }) => room_id)).size < targets.length)
    throw errors.invalidValue('rooms: one of them is named twice.')
  const { changeover } = coolingSettingsOf(building) ?? HEATS_ALWAYS
  const cooling = { season: put.season, changeover: put.changeover ?? changeover }
  const problem = coolingProblemOf(cooling)
  if (problem) throw errors.invalidValue(problem)
  const nowMs = clock.now()
  const seenBuilding = seen && { seen: { cooling: seen.cooling } }
  const ofBuilding = updateBuilding(store, nowMs, buildingId, coolingColumns(cooling), seenBuilding)
  const ofRooms = targets.flatMap(({ room_id: roomId, target_temperature: cooling_target }) => {
    const seenRoom = seen && { seen: { coolingTargetC: seen.targets.get(roomId) ?? null } }
    return updateRoom(store, nowMs, { buildingId, roomId }, columnsOfSettings({ cooling_target }), seenRoom)
  })
  try {
    await store.batch([...ofBuilding, ...ofRooms], [nothingLeftOut(store, buildingId, cooling, targets)])
  } catch (error) {
    if (!isStoreError(error, 'limit')) throw error
    throw seen ? errors.preconditionFailed('cooling settings') : errors.removedMeanwhile()
  }
}

/** Another request may have changed the building or a room since, or removed one: then nothing is written. */
const nothingLeftOut = (
  { db }: Store,
  buildingId: string,
  cooling: CoolingSettings,
  targets: NonNullable<CoolingPut['rooms']>,
): Limit => {
  const written = db
    .selectFrom('rooms')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('buildingId', '=', buildingId)
    .where(({ or, and, eb }) =>
      or(
        targets.map(({ room_id, target_temperature }) =>
          and([eb('id', '=', room_id), eb('coolingTargetC', 'is not distinct from', target_temperature)]),
        ),
      ),
    )
  const isWritten = db
    .selectFrom('buildings')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('id', '=', buildingId)
    .where('cooling', '=', coolingColumns(cooling).cooling ?? null)
  return {
    ownerId: buildingId,
    count: db.selectNoFrom(sql<number>`1 + ${sql.lit(targets.length)} - (${isWritten}) - (${written})`.as('missing')),
    most: 0,
    name: 'what was left out',
  }
}

/** As stored: what a change is conditional on. */
interface SeenCooling {
  cooling: string | null
  targets: ReadonlyMap<string, number | null>
}

export async function seenCooling({ db }: Store, buildingId: string): Promise<SeenCooling> {
  const [building, rooms] = await Promise.all([
    db.selectFrom('buildings').select('cooling').where('id', '=', buildingId).executeTakeFirst(),
    db.selectFrom('rooms').select(['id', 'coolingTargetC']).where('buildingId', '=', buildingId).execute(),
  ])
  if (!building) throw errors.noSuchBuilding(buildingId)
  return { ...building, targets: new Map(rooms.map(({ id, coolingTargetC }) => [id, coolingTargetC])) }
}
