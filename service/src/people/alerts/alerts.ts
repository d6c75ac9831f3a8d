import { type AppAlert, timestampOf } from '@hypocaust/domain'
import type { Availability } from '../../house/buildings/buildings.ts'
import { isActive } from '../../house/membership.ts'
import type { Store } from '../../store/store.ts'
import { withCauses } from './diagnosed.ts'
import { judge } from './judge.ts'
import { openAlertsOf } from './life.ts'
import { factsOf } from './read-facts.ts'
import { concernsReader } from './readers.ts'

/** What needs a person, as a page shows it: what holds now, and open alerts that cannot be judged at the moment. */
export async function alertsOf(
  store: Store,
  { accountId, buildingId }: { accountId: string; buildingId?: string },
  { silentAfterS }: Availability,
  nowMs: number,
): Promise<AppAlert[]> {
  const rows = await store.db
    .selectFrom('members')
    .select(['buildingId', 'role', 'rooms'])
    .where('accountId', '=', accountId)
    .where(isActive(nowMs))
    .$if(buildingId !== undefined, (query) => query.where('buildingId', '=', buildingId ?? ''))
    .orderBy('buildingId')
    .execute()
  const alerts = await standingAlerts(
    store,
    rows.map((row) => row.buildingId),
    { silentAfterS },
    nowMs,
  )
  const alertsIn = Map.groupBy(alerts, ({ building_id }) => building_id)
  return rows.flatMap((membership) =>
    (alertsIn.get(membership.buildingId) ?? []).filter(({ room_id: roomId }) =>
      concernsReader({ ...membership, roomId }),
    ),
  )
}

/** All alerts of these buildings, for every member alike. */
export async function standingAlerts(
  store: Store,
  ids: string[],
  { silentAfterS }: Availability,
  nowMs: number,
): Promise<AppAlert[]> {
  const [facts, standing] = await Promise.all([factsOf(store, ids, nowMs), openAlertsOf(store, ids)])
  const kept = new Map(standing.map((alert) => [alert.subject, alert]))
  const look = { nowMs, silentAfterS, open: new Set(kept.keys()) }
  const verdicts = await withCauses(
    store,
    facts.flatMap((building) => judge(building, look)),
    nowMs,
  )
  return verdicts.flatMap(({ subject, state, alert }) => {
    const known = kept.get(subject)
    if (state !== 'holds' && !(state === 'unknown' && known)) return []
    const stamp = (atMs: number | null | undefined) => (atMs == null ? null : timestampOf(atMs))
    const since = alert.since ?? stamp(known?.beganAt)
    return [
      {
        ...alert,
        id: known?.id ?? null,
        room_names: alert.rooms ?? null,
        airing: alert.airing ?? null,
        diagnosis: alert.diagnosis ?? null,
        began_at: since,
        since,
        snoozed_until: (known?.snoozedUntil ?? 0) > nowMs ? stamp(known?.snoozedUntil) : null,
      },
    ]
  })
}
