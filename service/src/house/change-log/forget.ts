import { DAY_MS } from '@hypocaust/domain'
import type { Store } from '../../store/store.ts'

/** Entries older than so many days are removed. */
export async function forgetChanges(store: Store, nowMs: number, days: number): Promise<void> {
  const { db } = store
  await store.batch([
    db.deleteFrom('changeLog').where('changedAt', '<', nowMs - days * DAY_MS),
    // Where none is left, their numbers begin anew.
    db
      .updateTable('webhookPositions')
      .set({ sequence: 0 })
      .where('sequence', '>', 0)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('changeLog')
              .select('changeLog.sequence')
              .whereRef('changeLog.buildingId', '=', 'webhookPositions.buildingId'),
          ),
        ),
      ),
  ])
}
