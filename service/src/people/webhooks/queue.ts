import { type AlertFacts, mayDo, type WebhookEvent } from '@hypocaust/domain'
import { type Compilable, sql } from 'kysely'
import { isActive } from '../../house/membership.ts'
import type { Store } from '../../store/store.ts'
import { type AlertTurn, actionOf, eventOf, type Message, messageOfAlert, typeOfAlert } from './messages.ts'

/**
 * Belongs into a transaction. The numbers are taken from the webhook's row, which is locked by that: they rise in the
 * order of the transactions. A message that is queued already, or for a webhook that is gone, is left out.
 */
export function queued({ db }: Store, webhookId: string, messages: Message[], nowMs: number): Compilable[] {
  if (messages.length === 0) return []
  const taking = db
    .updateTable('webhooks')
    .set((eb) => ({
      numbered: eb('numbered', '+', messages.length),
      dueAt: eb.fn.coalesce('dueAt', eb.val(nowMs)),
    }))
    .where('id', '=', webhookId)
    .where('disabledAt', 'is', null)
  const insertions = messages.map(({ id, buildingId, type, payload, queuedAt }, i) =>
    db
      .insertInto('webhookDeliveries')
      .columns(['webhookId', 'n', 'messageId', 'buildingId', 'type', 'payload', 'queuedAt'])
      .expression(
        db
          .selectFrom('webhooks')
          .select((eb) => [
            'id',
            eb('numbered', '-', messages.length - 1 - i).as('n'),
            sql<string>`cast(${id} as text)`.as('messageId'),
            sql<string | null>`cast(${buildingId} as text)`.as('buildingId'),
            sql<string>`cast(${type} as text)`.as('type'),
            sql<string>`cast(${payload} as text)`.as('payload'),
            sql<number>`cast(${queuedAt} as bigint)`.as('queuedAt'),
          ])
          .where('id', '=', webhookId)
          .where('disabledAt', 'is', null),
      )
      .onConflict((conflict) => conflict.doNothing()),
  )
  return [taking, ...insertions]
}

/** Of all members of the alert's building who may see it. Belongs into the transaction in which it begins or ends. */
export async function queuedAlert(
  store: Store,
  life: { id: string; beganAt: number },
  alert: AlertFacts,
  turn: AlertTurn,
  nowMs: number,
): Promise<Compilable[]> {
  const type = typeOfAlert(alert, turn)
  const members = await store.db
    .selectFrom('members')
    .innerJoin('webhooks', 'webhooks.accountId', 'members.accountId')
    .select(['webhooks.id', 'webhooks.events', 'members.role'])
    .where('members.buildingId', '=', alert.building_id)
    .where(isActive(nowMs))
    .orderBy('webhooks.id')
    .execute()
  const message = messageOfAlert(life, alert, turn, nowMs)
  return members
    .filter(({ role, events }) => mayDo(role, actionOf(type)) && isAbout(events, eventOf(type)))
    .flatMap(({ id }) => queued(store, id, [message], nowMs))
}

export const isAbout = (events: string, event: WebhookEvent): boolean =>
  (JSON.parse(events) as WebhookEvent[]).includes(event)
