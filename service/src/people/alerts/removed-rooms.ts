import type { AlertFacts } from '@hypocaust/domain'
import type { Compilable } from 'kysely'
import type { Store } from '../../store/store.ts'
import { queuedAlert } from '../webhooks/queue.ts'

/** The alerts of a room go with it: webhooks that were sent their beginning are sent their end. Belongs into the removal. */
export async function endedWithRooms(store: Store, roomIds: string[], nowMs: number): Promise<Compilable[]> {
  const { isIn, list } = store.statements
  const open = await store.db
    .selectFrom('alerts')
    .select(['id', 'beganAt', 'alert'])
    .where(isIn('room_id', list(roomIds)))
    .where('openSubject', 'is not', null)
    .execute()
  const writes: Compilable[] = []
  for (const { alert, ...life } of open)
    writes.push(...(await queuedAlert(store, life, JSON.parse(alert) as AlertFacts, 'ended', nowMs)))
  return writes
}
