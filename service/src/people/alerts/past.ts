import { type Alert, type PastAlert, timestampOf } from '@hypocaust/domain'
import type { Store } from '../../store/store.ts'

const MOST = 100

/** Alerts of an account that are over, the latest first. */
export async function pastAlertsOf({ db }: Store, accountId: string): Promise<PastAlert[]> {
  const rows = await db
    .selectFrom('alerts')
    .innerJoin('buildings', 'buildings.id', 'alerts.buildingId')
    .select(['alerts.id', 'alerts.alert', 'alerts.beganAt', 'alerts.endedAt'])
    .where('buildings.accountId', '=', accountId)
    .where('alerts.endedAt', 'is not', null)
    .orderBy('alerts.endedAt', 'desc')
    .limit(MOST)
    .execute()
  return rows.map(({ id, alert, beganAt, endedAt }) => ({
    ...(JSON.parse(alert) as Alert),
    id,
    since: timestampOf(beganAt),
    ended: timestampOf(endedAt ?? beganAt),
  }))
}

/** Whether there was such an open alert. */
export async function snooze(
  { db }: Store,
  { id, accountId, untilMs }: { id: string; accountId: string; untilMs: number | null },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('alerts')
    .set({ snoozedUntil: untilMs })
    .where('id', '=', id)
    .where('endedAt', 'is', null)
    .where('buildingId', 'in', (eb) => eb.selectFrom('buildings').select('id').where('accountId', '=', accountId))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
