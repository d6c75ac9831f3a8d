import { type AlertFacts, type PastAlert, timestampOf } from '@hypocaust/domain'
import { isActive } from '../../house/membership.ts'
import type { Store } from '../../store/store.ts'
import { concernsReader } from './readers.ts'

const MOST = 100

/** Alerts in the buildings of a person that are over, the latest first. */
export async function pastAlertsOf({ db }: Store, accountId: string, nowMs: number): Promise<PastAlert[]> {
  const rows = await db
    .selectFrom('alerts')
    .innerJoin('members', 'members.buildingId', 'alerts.buildingId')
    .select([
      'alerts.id',
      'alerts.alert',
      'alerts.beganAt',
      'alerts.endedAt',
      'alerts.roomId',
      'members.role',
      'members.rooms',
    ])
    .where('members.accountId', '=', accountId)
    .where(isActive(nowMs))
    .where('alerts.endedAt', 'is not', null)
    .orderBy('alerts.endedAt', 'desc')
    .limit(MOST)
    .execute()
  return rows.filter(concernsReader).map(({ id, alert, beganAt, endedAt }) => {
    const facts = JSON.parse(alert) as AlertFacts
    const began = timestampOf(beganAt)
    return {
      ...facts,
      id,
      room_names: facts.rooms ?? null,
      airing: facts.airing ?? null,
      diagnosis: facts.diagnosis ?? null,
      began_at: began,
      since: began,
      ended: timestampOf(endedAt ?? beganAt),
    }
  })
}

/** Whether there was such an open alert. */
export async function snooze({ db }: Store, { id, untilMs }: { id: string; untilMs: number | null }): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('alerts')
    .set({ snoozedUntil: untilMs })
    .where('id', '=', id)
    .where('endedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
