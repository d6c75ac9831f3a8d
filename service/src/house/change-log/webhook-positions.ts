import { type Compilable, sql } from 'kysely'
import type { Store } from '../../store/store.ts'

/** A webhook, or the webhooks of all members of a building, are sent what the change log gets from now on. */
export function positionsAtEnd({ db }: Store, { webhookId, buildingId }: Positioned): Compilable {
  const latest = sql<number>`coalesce((select max(sequence) from change_log
    where change_log.building_id = members.building_id), 0)`
  return db
    .insertInto('webhookPositions')
    .columns(['webhookId', 'buildingId', 'accountId', 'sequence'])
    .expression(
      db
        .selectFrom('members')
        .innerJoin('webhooks', 'webhooks.accountId', 'members.accountId')
        .select(['webhooks.id', 'members.buildingId', 'members.accountId', latest.as('sequence')])
        .$if(webhookId !== undefined, (query) => query.where('webhooks.id', '=', webhookId ?? ''))
        .$if(buildingId !== undefined, (query) => query.where('members.buildingId', '=', buildingId ?? '')),
    )
    .onConflict((conflict) => conflict.doNothing())
}

type Positioned = { webhookId: string; buildingId?: never } | { buildingId: string; webhookId?: never }
