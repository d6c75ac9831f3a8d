import type { AppRoomPatch } from '@hypocaust/domain'
import type { Updateable } from 'kysely'
import { errors } from '../../base/errors.ts'
import type { Store } from '../../store/store.ts'
import type { RoomTable } from '../../store/tables/rooms.ts'
import type { RoomScope } from './write.ts'

interface Watched {
  watchedSince: number | null
}

export const isWatched = ({ watchedSince }: Watched): boolean => watchedSince !== null

/** For a change that would switch a room which another thermostat heats. */
export const onlyWatched = (name: string) =>
  errors.invalidValue(
    `${name} is only watched: another thermostat heats it. Take the room over before you switch it off or set its power.`,
  )

/**
 * What a patch changes of who heats the room. A room that is only watched is neither off nor under manual power: nothing
 * would follow it.
 */
export async function watchChanges(
  store: Store,
  scope: RoomScope,
  { only_watch: onlyWatch }: Pick<AppRoomPatch, 'only_watch'>,
  { manualEnabled }: Updateable<RoomTable>,
  nowMs: number,
): Promise<Updateable<RoomTable>> {
  if (onlyWatch === undefined && manualEnabled !== 1) return {}
  const room = await readRoom(store, scope)
  if (!room) throw errors.noSuchRoom(scope.roomId)
  const isAfter = onlyWatch ?? isWatched(room)
  if (isAfter && manualEnabled === 1) throw onlyWatched(room.name)
  if (onlyWatch === undefined || onlyWatch === isWatched(room)) return {}
  if (!onlyWatch) return { watchedSince: null }
  await refuseOldGateways(store, scope.roomId)
  return { watchedSince: nowMs, manualEnabled: 0, override: null }
}

const readRoom = ({ db }: Store, { buildingId, roomId }: RoomScope) =>
  db
    .selectFrom('rooms')
    .select(['name', 'watchedSince'])
    .where('id', '=', roomId)
    .where('buildingId', '=', buildingId)
    .executeTakeFirst()

/** A gateway that has reported without being able to leave a valve alone would keep it closed. */
async function refuseOldGateways({ db }: Store, roomId: string): Promise<void> {
  const old = await db
    .selectFrom('valves')
    .innerJoin('gateways', 'gateways.id', 'valves.gatewayId')
    .select('gateways.name')
    .where('valves.roomId', '=', roomId)
    .where('gateways.state', 'is not', null)
    .where('gateways.watches', 'is distinct from', 1)
    .executeTakeFirst()
  if (old)
    throw errors.invalidValue(
      `only_watch: the gateway ${old.name} cannot leave a valve to another thermostat. Update it first.`,
    )
}
