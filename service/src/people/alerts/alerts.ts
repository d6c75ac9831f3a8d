import { type Alert, timestampOf } from '@hypocaust/domain'
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
): Promise<Alert[]> {
  const rows = await store.db
    .selectFrom('buildings')
    .select('id')
    .where('accountId', '=', accountId)
    .$if(buildingId !== undefined, (query) => query.where('id', '=', buildingId ?? ''))
    .orderBy('id')
    .execute()
  const ids = rows.map(({ id }) => id)
  const [facts, standing] = await Promise.all([factsOf(store, ids, nowMs), openAlertsOf(store, ids)])
  const began = new Map(standing.map(({ subject, beganAt }) => [subject, beganAt]))
  const look = { nowMs, silentAfterS, open: new Set(began.keys()) }
  return ids.flatMap((id) => {
    const building = facts.find((entry) => entry.id === id)
    return (building ? judge(building, look) : []).flatMap(({ subject, state, alert }) => {
      const beganAt = began.get(subject)
      if (state !== 'holds' && !(state === 'unknown' && beganAt !== undefined)) return []
      return [{ ...alert, since: alert.since ?? (beganAt === undefined ? null : timestampOf(beganAt)) }]
    })
  })
}
