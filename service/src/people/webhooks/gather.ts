import { mayDo } from '@hypocaust/domain'
import { sql } from 'kysely'
import { changesAfter } from '../../house/change-log/read.ts'
import { isActive } from '../../house/membership.ts'
import type { Store } from '../../store/store.ts'
import { actionOf, eventOf, messageOfChange } from './messages.ts'
import { isAbout, queued } from './queue.ts'

const BUILDINGS_AT_ONCE = 100
const ENTRIES_AT_ONCE = 100
/** While so many wait for a webhook, what follows stays in the change log alone. */
const MOST_WAITING = 1000

type Behind = Awaited<ReturnType<typeof positionsBehind>>[number]

/**
 * Queues what the change logs have beyond the position of each webhook, and moves the position in the same transaction:
 * a process that dies leaves neither gaps nor anything twice. False when there was nothing.
 */
export async function gatherChanges(store: Store, nowMs: number): Promise<boolean> {
  const behind = await positionsBehind(store, nowMs)
  for (const each of behind) await gatherOf(store, each, nowMs)
  return behind.length > 0
}

async function gatherOf(store: Store, behind: Behind, nowMs: number): Promise<void> {
  const { webhookId, buildingId, accountId, role, events } = behind
  const position = behind.sequence ?? (await firstPosition(store, behind))
  const rows = await changesAfter(store, { buildingId, after: position, most: ENTRIES_AT_ONCE })
  const messages = rows.flatMap((row) => {
    const message = messageOfChange(buildingId, row)
    const isWanted = message && mayDo(role, actionOf(message.type)) && isAbout(events, eventOf(message.type))
    return isWanted ? [message] : []
  })
  const sequence = rows.at(-1)?.sequence ?? position
  // The membership or the webhook may have ended meanwhile.
  const moved = store.db
    .insertInto('webhookPositions')
    .columns(['webhookId', 'buildingId', 'accountId', 'sequence'])
    .expression(
      store.db
        .selectFrom('members')
        .innerJoin('webhooks', 'webhooks.accountId', 'members.accountId')
        .select([
          'webhooks.id',
          'members.buildingId',
          'members.accountId',
          sql<number>`cast(${sequence} as bigint)`.as('sequence'),
        ])
        .where('webhooks.id', '=', webhookId)
        .where('members.buildingId', '=', buildingId)
        .where('members.accountId', '=', accountId),
    )
    .onConflict((conflict) => conflict.columns(['webhookId', 'buildingId']).doUpdateSet({ sequence }))
  await store.batch([...queued(store, webhookId, messages, nowMs), moved])
}

/** What was changed before the webhook was made, or its holder became a member, is not sent. */
async function firstPosition({ db }: Store, { buildingId, createdAt, memberSince }: Behind): Promise<number> {
  const row = await db
    .selectFrom('changeLog')
    .select((eb) => eb.fn.max('sequence').as('sequence'))
    .where('buildingId', '=', buildingId)
    .where('changedAt', '<', Math.max(createdAt, memberSince))
    .executeTakeFirst()
  return Number(row?.sequence ?? 0)
}

/** Each webhook with each building of its holder that has newer entries. */
function positionsBehind({ db }: Store, nowMs: number) {
  return db
    .selectFrom('webhooks')
    .innerJoin('members', 'members.accountId', 'webhooks.accountId')
    .leftJoin('webhookPositions', (join) =>
      join
        .onRef('webhookPositions.webhookId', '=', 'webhooks.id')
        .onRef('webhookPositions.buildingId', '=', 'members.buildingId'),
    )
    .select([
      'webhooks.id as webhookId',
      'webhooks.accountId',
      'webhooks.events',
      'webhooks.createdAt',
      'members.buildingId',
      'members.role',
      'members.createdAt as memberSince',
      'webhookPositions.sequence',
    ])
    .where('webhooks.disabledAt', 'is', null)
    .where((eb) => eb(eb('webhooks.numbered', '-', eb.ref('webhooks.settled')), '<', MOST_WAITING))
    .where(isActive(nowMs))
    .where((eb) =>
      eb.or([
        eb('webhookPositions.sequence', 'is', null),
        eb.exists(
          eb
            .selectFrom('changeLog')
            .select('changeLog.sequence')
            .whereRef('changeLog.buildingId', '=', 'members.buildingId')
            .whereRef('changeLog.sequence', '>', 'webhookPositions.sequence'),
        ),
      ]),
    )
    .limit(BUILDINGS_AT_ONCE)
    .execute()
}
