import { hasChosenRooms, mayDo, type NotifiedKind } from '@hypocaust/domain'
import { isActive, type Membership, seesRoom } from '../../house/membership.ts'
import type { Store } from '../../store/store.ts'
import { choiceOf } from './choices.ts'

/** A guest sees what is about the guest's own rooms, the others everything. */
export const concernsReader = ({ roomId, ...membership }: Membership & { roomId: string | null }): boolean =>
  !hasChosenRooms(membership.role) || (roomId !== null && seesRoom(membership, roomId))

/** One way to one person: a device, or null for mail. */
export interface Reader {
  accountId: string
  deviceId: string | null
}

/** Who is notified of an alert of this kind in a building, and how. */
export async function readersOf(
  store: Store,
  buildingId: string,
  kind: NotifiedKind,
  nowMs: number,
): Promise<Reader[]> {
  const members = await store.db
    .selectFrom('members')
    .select(['accountId', 'role'])
    .where('buildingId', '=', buildingId)
    .where(isActive(nowMs))
    .orderBy('accountId')
    .execute()
  const notified = members.filter(({ role }) => mayDo(role, 'alerts'))
  return (await Promise.all(notified.map(({ accountId }) => waysTo(store, accountId, kind)))).flat()
}

async function waysTo(store: Store, accountId: string, kind: NotifiedKind): Promise<Reader[]> {
  const choice = await choiceOf(store, accountId)
  if (choice?.muted.includes(kind)) return []
  const devices = await store.db.selectFrom('pushDevices').select('id').where('accountId', '=', accountId).execute()
  const ids = [...(choice?.mail ? [null] : []), ...devices.map(({ id }) => id)]
  return ids.map((deviceId) => ({ accountId, deviceId }))
}
