import { type CoolingPut, HEATS_ALWAYS } from '@hypocaust/domain'
import type { Clock } from '../../base/clock.ts'
import { errors } from '../../base/errors.ts'
import type { Store } from '../../store/store.ts'
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
  const results = await store.batch([...ofBuilding, ...ofRooms])
  if (seen && results[ofBuilding.length - 1]?.affectedRows === 0) throw errors.preconditionFailed('cooling settings')
}

/** As stored: what a change is conditional on. */
export interface SeenCooling {
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
