import { randomUUID, randomUUIDv7 } from 'node:crypto'
import {
  DAY_MS,
  MOST_WEBHOOKS,
  type NewWebhook,
  timestampOf,
  type Webhook,
  type WebhookDelivery,
  type WebhookProblem,
  type WebhookTest,
} from '@hypocaust/domain'
import { errors } from '../../base/errors.ts'
import { positionsAtEnd } from '../../house/change-log/webhook-positions.ts'
import { isStoreError, type Store } from '../../store/store.ts'
import { testMessage } from './messages.ts'
import { queued } from './queue.ts'
import { isTaken, type WebhookSender } from './sender.ts'

/** Deliveries are listed for so long. */
const KEPT_DAYS = 7
const MOST_LISTED = 50

/** Adds a webhook that is sent all that happens from now on in the buildings of its holder. */
export async function addWebhook(
  store: Store,
  accountId: string,
  { url, events }: NewWebhook,
  nowMs: number,
): Promise<string> {
  const { db } = store
  const id = randomUUIDv7()
  const row = { id, accountId, url, events: JSON.stringify(events), createdAt: nowMs, disabledAt: null, dueAt: null }
  const count = db
    .selectFrom('webhooks')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('accountId', '=', accountId)
  try {
    await store.batch(
      [db.insertInto('webhooks').values(row), positionsAtEnd(store, { webhookId: id })],
      [{ ownerId: accountId, count, most: MOST_WEBHOOKS, name: 'webhooks' }],
    )
  } catch (error) {
    if (isStoreError(error, 'limit'))
      throw errors.quotaReached(`An account can have at most ${MOST_WEBHOOKS} webhooks.`)
    throw error
  }
  return id
}

export async function webhooksOf({ db }: Store, accountId: string): Promise<Webhook[]> {
  const rows = await db
    .selectFrom('webhooks')
    .select(['id', 'url', 'events', 'createdAt', 'disabledAt', 'dueAt', 'attempts'])
    .select((eb) =>
      eb
        .selectFrom('webhookDeliveries')
        .whereRef('webhookDeliveries.webhookId', '=', 'webhooks.id')
        .whereRef('webhookDeliveries.n', '>', 'webhooks.settled')
        .where('webhookDeliveries.outcome', 'is', null)
        .select((inner) => inner.fn.countAll<number>().as('count'))
        .as('waiting'),
    )
    .where('accountId', '=', accountId)
    .orderBy('id')
    .execute()
  return rows.map(({ id, url, events, createdAt, disabledAt, dueAt, attempts, waiting }) => ({
    id,
    url,
    events: JSON.parse(events),
    created: timestampOf(createdAt),
    disabled: stamp(disabledAt),
    waiting: Number(waiting),
    retry_at: attempts > 0 ? stamp(dueAt) : null,
  }))
}

/** Whether there was such a webhook of this account. */
export async function removeWebhook({ db }: Store, accountId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('webhooks')
    .where('id', '=', id)
    .where('accountId', '=', accountId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** All of an account, when its keys are revoked with its password; returns how many there were. */
export async function removeWebhooks({ db }: Store, accountId: string): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('webhooks').where('accountId', '=', accountId).executeTakeFirst()
  return Number(numDeletedRows)
}

/** Sends a message at once, past what waits, and lists it among the deliveries. */
export async function testWebhook(
  store: Store,
  sender: WebhookSender,
  webhook: Pick<Webhook, 'id' | 'url'>,
  now: () => number,
): Promise<WebhookTest> {
  const message = testMessage(`test_${randomUUID()}`, webhook.id, now())
  const answer = await sender.send(webhook, message)
  const delivered = isTaken(answer)
  await store.batch([
    ...queued(store, webhook.id, [message], now()),
    store.db
      .updateTable('webhookDeliveries')
      .set({
        attempts: 1,
        triedAt: now(),
        result: String(answer),
        outcome: delivered ? 'delivered' : 'failed',
        payload: null,
      })
      .where('webhookId', '=', webhook.id)
      .where('messageId', '=', message.id),
  ])
  return { delivered, ...resultOf(String(answer)) }
}

/** The latest first. */
export async function deliveriesOf({ db }: Store, webhookId: string): Promise<WebhookDelivery[]> {
  const rows = await db
    .selectFrom('webhookDeliveries')
    .leftJoin('buildings', 'buildings.id', 'webhookDeliveries.buildingId')
    .select(['messageId', 'type', 'buildings.name as building', 'queuedAt', 'outcome', 'attempts', 'triedAt', 'result'])
    .where('webhookId', '=', webhookId)
    .orderBy('n', 'desc')
    .limit(MOST_LISTED)
    .execute()
  return rows.map(({ messageId, type, building, queuedAt, outcome, attempts, triedAt, result }) => ({
    id: messageId,
    type,
    building,
    queued: timestampOf(queuedAt),
    state: outcome ?? 'waiting',
    attempts,
    tried: stamp(triedAt),
    ...resultOf(result),
  }))
}

export async function forgetDeliveries({ db }: Store, nowMs: number): Promise<void> {
  await db
    .deleteFrom('webhookDeliveries')
    .where('queuedAt', '<', nowMs - KEPT_DAYS * DAY_MS)
    .execute()
}

/** A number is the status of an answer. */
function resultOf(result: string | null): Pick<WebhookTest, 'status' | 'problem'> {
  if (result === null) return { status: null, problem: null }
  return /^\d+$/.test(result)
    ? { status: Number(result), problem: null }
    : { status: null, problem: result as WebhookProblem }
}

const stamp = (atMs: number | null): string | null => (atMs === null ? null : timestampOf(atMs))
