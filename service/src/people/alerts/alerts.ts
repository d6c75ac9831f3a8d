import { type AppAlert, timestampOf } from '@hypocaust/domain'
import type { Availability } from '../../house/buildings/buildings.ts'
import type { Store } from '../../store/store.ts'
import { judge } from './judge.ts'
import { openAlertsOf } from './life.ts'
import { factsOf } from './read-facts.ts'

/** What needs a person, as a page shows it: what holds now, and open alerts that cannot be judged at the moment. */
export async function alertsOf(
  store: Store,
  { accountId, buildingId }: { accountId: string; buildingId?: string },
  { silentAfterS }: Availability,
  nowMs: number,
): Promise<AppAlert[]> {
  const rows = await store.db
    .selectFrom('buildings')
    .select('id')
    .where('accountId', '=', accountId)
    .$if(buildingId !== undefined, (query) => query.where('id', '=', buildingId ?? ''))
    .orderBy('id')
    .execute()
  const ids = rows.map(({ id }) => id)
  const [facts, standing] = await Promise.all([factsOf(store, ids, nowMs), openAlertsOf(store, ids)])
  const kept = new Map(standing.map((alert) => [alert.subject, alert]))
  const look = { nowMs, silentAfterS, open: new Set(kept.keys()) }
  return ids.flatMap((id) => {
    const building = facts.find((entry) => entry.id === id)
    return (building ? judge(building, look) : []).flatMap(({ subject, state, alert }) => {
      const known = kept.get(subject)
      if (state !== 'holds' && !(state === 'unknown' && known)) return []
      const stamp = (atMs: number | null | undefined) => (atMs == null ? null : timestampOf(atMs))
      return [
        {
          ...alert,
          id: known?.id ?? null,
          since: alert.since ?? stamp(known?.beganAt),
          snoozed_until: (known?.snoozedUntil ?? 0) > nowMs ? stamp(known?.snoozedUntil) : null,
        },
      ]
    })
  })
}
