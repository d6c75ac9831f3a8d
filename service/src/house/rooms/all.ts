import { type AllRoomsPut, LOWER_ALL_BY_K, MIN_TARGET_C, type RoomPatch } from '@hypocaust/domain'
import type { Clock } from '../../base/clock.ts'
import type { Store } from '../../store/store.ts'
import { actorNow } from '../change-log/actor.ts'
import { changesOf } from './patch.ts'
import { isWatched } from './watch.ts'
import { commitRooms, updateRoom } from './write.ts'

type AllRooms = AllRoomsPut['action']

/** Changes all rooms of a building alike, all or nothing. Returns the numbers of its entries in the change log. */
export async function changeAllRooms(
  store: Store,
  clock: Clock,
  buildingId: string,
  action: AllRooms,
): Promise<number[]> {
  const rooms = await store.db
    .selectFrom('rooms')
    .select(['id', 'targetC', 'watchedSince'])
    .where('buildingId', '=', buildingId)
    .orderBy('id')
    .execute()
  const nowMs = clock.now()
  const before = await lastEntry(store, buildingId)
  const writes = rooms.flatMap(({ id: roomId, targetC, watchedSince }) => {
    if (action === 'off' && isWatched({ watchedSince })) return []
    const { sensorAddress: _, ...changes } = changesOf(patchFor(action, targetC))
    return updateRoom(store, nowMs, { buildingId, roomId }, changes)
  })
  await commitRooms(store, clock, buildingId, writes)
  return ownEntries(store, buildingId, before, nowMs)
}

function patchFor(action: AllRooms, targetC: number): RoomPatch {
  switch (action) {
    case 'lower':
      return { target_temperature: Math.max(MIN_TARGET_C, targetC - LOWER_ALL_BY_K) }
    case 'off':
      return { hvac_mode: 'off' }
    case 'back':
      return { hvac_mode: 'heat' }
  }
}

async function lastEntry({ db }: Store, buildingId: string): Promise<number> {
  const row = await db
    .selectFrom('changeLog')
    .select((eb) => eb.fn.max('sequence').as('sequence'))
    .where('buildingId', '=', buildingId)
    .executeTakeFirst()
  return Number(row?.sequence ?? 0)
}

/** Those that this person has just made; others may have made some in between. */
async function ownEntries({ db }: Store, buildingId: string, after: number, nowMs: number): Promise<number[]> {
  const rows = await db
    .selectFrom('changeLog')
    .select('sequence')
    .where('buildingId', '=', buildingId)
    .where('sequence', '>', after)
    .where('changedAt', '=', nowMs)
    .where('actorAccountId', 'is not distinct from', actorNow().accountId ?? null)
    .orderBy('sequence')
    .execute()
  return rows.map(({ sequence }) => sequence)
}
