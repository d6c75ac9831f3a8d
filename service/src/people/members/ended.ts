import { sql } from 'kysely'
import type { Clock } from '../../base/clock.ts'
import { recordFound } from '../../house/change-log/record.ts'
import { isNotMoving } from '../../house/moving.ts'
import type { Store } from '../../store/store.ts'
import { commitMembers } from './members.ts'
import { roleChange } from './record-role.ts'

const ACCESS_ENDED = { kind: 'rule', name: 'access_ended' } as const

/** A role whose date has passed counts for nothing already; it is removed so that the change log has its end. */
export async function removeEndedRoles(store: Store, clock: Clock): Promise<void> {
  const nowMs = clock.now()
  const ended = await store.db
    .selectFrom('members')
    .select(['buildingId', 'accountId'])
    .where('endsAt', '<=', nowMs)
    .where(isNotMoving('members.buildingId'))
    .execute()
  for (const { buildingId, accountId } of ended) {
    // An owner may have extended it meanwhile.
    const isEnded = sql`exists (select 1 from members where building_id = ${buildingId} and account_id = ${accountId}
      and ends_at <= cast(${nowMs} as bigint))`
    const entry = sql`select change.* from (${roleChange(store, { buildingId, accountId }, null)}) as change where ${isEnded}`
    const removal = store.db
      .deleteFrom('members')
      .where('buildingId', '=', buildingId)
      .where('accountId', '=', accountId)
      .where('endsAt', '<=', nowMs)
    await commitMembers(store, nowMs, buildingId, [recordFound(store, nowMs, [entry], ACCESS_ENDED), removal])
  }
}
