import { DAY_MS } from '@hypocaust/domain'
import type { Store } from '../../store/store.ts'

/** Entries older than so many days are removed. */
export async function forgetChanges({ db }: Store, nowMs: number, days: number): Promise<void> {
  await db
    .deleteFrom('changeLog')
    .where('changedAt', '<', nowMs - days * DAY_MS)
    .execute()
}
