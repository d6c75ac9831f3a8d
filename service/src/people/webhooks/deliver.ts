import { DAY_MS, HOUR_MS, MINUTE_MS, mayDo, WEBHOOK_TYPES, type WebhookType } from '@hypocaust/domain'
import type { Logger } from 'pino'
import type { Clock } from '../../base/clock.ts'
import { isActive } from '../../house/membership.ts'
import type { Store } from '../../store/store.ts'
import { actionOf } from './messages.ts'
import { isTaken, type WebhookSender } from './sender.ts'

export interface DeliveryParts {
  store: Store
  clock: Clock
  logger: Logger
  sender: WebhookSender
}

const AT_ONCE = 50
/** Of one account: the slow receivers of a few people hold up nobody else. */
const AT_ONCE_EACH = 5
/** Then the others that wait get their turn. */
const TURN_MS = MINUTE_MS
const LOOKED_AT = 1000
/** After the first failure, the second and so on; the last one counts for all later ones. */
const PAUSES_MS = [5_000, 30_000, 2 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS, HOUR_MS]
/** A message is tried for so long. */
const TRIED_FOR_MS = DAY_MS
/** The receiver says that it is gone for good. */
const GONE = 410

type Head = NonNullable<Awaited<ReturnType<typeof headOf>>>

/**
 * Delivers what is queued, the messages of each webhook one after the other: a message that fails holds back the later
 * ones, so that they arrive in order. Webhooks do not wait for each other.
 */
export class Deliveries {
  readonly #parts: DeliveryParts
  readonly #running = new Map<string, { accountId: string; turn: Promise<void> }>()

  constructor(parts: DeliveryParts) {
    this.#parts = parts
  }

  /** Begins with those that are due. */
  async startDue(stopping: AbortSignal): Promise<void> {
    const { store, clock, logger } = this.#parts
    for (const { id, accountId } of await dueWebhooks(store, clock.now())) {
      if (stopping.aborted || this.#running.size >= AT_ONCE) return
      if (this.#running.has(id) || this.#runningOf(accountId) >= AT_ONCE_EACH) continue
      const turn = this.#deliverAll(id, stopping)
        .catch((err) => logger.warn({ err, webhook: id }, 'a webhook was not delivered; it is tried again'))
        .finally(() => this.#running.delete(id))
      this.#running.set(id, { accountId, turn })
    }
  }

  async settled(): Promise<void> {
    await Promise.all([...this.#running.values()].map(({ turn }) => turn))
  }

  #runningOf(accountId: string): number {
    return [...this.#running.values()].filter((each) => each.accountId === accountId).length
  }

  async #deliverAll(webhookId: string, stopping: AbortSignal): Promise<void> {
    const { store, clock } = this.#parts
    const endMs = clock.elapsedMs() + TURN_MS
    while (!stopping.aborted && clock.elapsedMs() < endMs) {
      const head = await headOf(store, webhookId)
      if (!head || (await this.#deliver(head, stopping)) === 'later') return
    }
    if (stopping.aborted) return
    // Behind those that have waited meanwhile.
    await store.db
      .updateTable('webhooks')
      .set({ dueAt: clock.now() })
      .where('id', '=', webhookId)
      .where('dueAt', 'is not', null)
      .execute()
  }

  async #deliver(head: Head, stopping: AbortSignal): Promise<'next' | 'later'> {
    const { store, clock, sender } = this.#parts
    const { n, payload, messageId } = head
    if (n === null || payload === null || messageId === null) return this.#pause(head)
    if (!(await this.#mayBeSent(head))) {
      await store.batch(this.#settle(head, n, { outcome: 'withdrawn' }))
      return 'next'
    }
    const answer = await sender.send(head, { id: messageId, payload }, stopping)
    // Broken off rather than failed: the next process that delivers sends it again, with the same id.
    if (stopping.aborted && !isTaken(answer)) return 'later'
    const tried = { triedAt: clock.now(), attempts: (head.tries ?? 0) + 1, result: String(answer) }
    if (isTaken(answer)) {
      await store.batch(this.#settle(head, n, { ...tried, outcome: 'delivered' }))
      return 'next'
    }
    await (answer === GONE ? this.#disable(head, n, tried) : this.#retryLater(head, n, tried))
    return 'later'
  }

  /** Nothing waits, unless something has been queued since the look. */
  async #pause({ id, numbered }: Head): Promise<'later'> {
    await this.#parts.store.db
      .updateTable('webhooks')
      .set({ dueAt: null, settled: numbered })
      .where('id', '=', id)
      .where('numbered', '=', numbered)
      .execute()
    return 'later'
  }

  /** The rights of now count, not those of the moment at which it was queued. */
  async #mayBeSent({ accountId, buildingId, type }: Head): Promise<boolean> {
    if (buildingId === null || type === null || !(type in WEBHOOK_TYPES)) return false
    const { store, clock } = this.#parts
    const member = await store.db
      .selectFrom('members')
      .select('role')
      .where('buildingId', '=', buildingId)
      .where('accountId', '=', accountId)
      .where(isActive(clock.now()))
      .executeTakeFirst()
    return member !== undefined && mayDo(member.role, actionOf(type as WebhookType))
  }

  #settle({ id }: Head, n: number, set: Settled) {
    const { db } = this.#parts.store
    return [
      db
        .updateTable('webhookDeliveries')
        .set({ ...set, payload: null })
        .where('webhookId', '=', id)
        .where('n', '=', n),
      db.updateTable('webhooks').set({ settled: n, attempts: 0 }).where('id', '=', id),
    ]
  }

  /** What is too old by now is given up, in one go with all that waited behind it for as long. */
  async #retryLater({ id, settled, attempts }: Head, n: number, tried: Tried): Promise<void> {
    const { store, clock, logger } = this.#parts
    const nowMs = clock.now()
    const pauseMs = PAUSES_MS[Math.min(attempts, PAUSES_MS.length - 1)] ?? HOUR_MS
    logger.info({ webhook: id, answer: tried.result, attempts: attempts + 1 }, 'a webhook failed; retrying later')
    await store.batch([
      store.db.updateTable('webhookDeliveries').set(tried).where('webhookId', '=', id).where('n', '=', n),
      this.#open(id, settled)
        .set({ outcome: 'failed', payload: null })
        .where('queuedAt', '<=', nowMs - TRIED_FOR_MS),
      store.db
        .updateTable('webhooks')
        .set({ attempts: attempts + 1, dueAt: nowMs + pauseMs })
        .where('id', '=', id),
    ])
  }

  async #disable({ id, settled }: Head, n: number, tried: Tried): Promise<void> {
    const { store, clock } = this.#parts
    await store.batch([
      store.db
        .updateTable('webhookDeliveries')
        .set({ ...tried, outcome: 'failed', payload: null })
        .where('webhookId', '=', id)
        .where('n', '=', n),
      // First the webhook's row: nothing is queued for it from here on.
      store.db.updateTable('webhooks').set({ disabledAt: clock.now(), dueAt: null }).where('id', '=', id),
      this.#open(id, settled).set({ outcome: 'withdrawn', payload: null }),
    ])
  }

  #open(id: string, settled: number) {
    return this.#parts.store.db
      .updateTable('webhookDeliveries')
      .where('webhookId', '=', id)
      .where('n', '>', settled)
      .where('outcome', 'is', null)
  }
}

interface Tried {
  triedAt: number
  attempts: number
  result: string
}

type Settled = { outcome: 'withdrawn' } | (Tried & { outcome: 'delivered' })

const dueWebhooks = ({ db }: Store, nowMs: number) =>
  db
    .selectFrom('webhooks')
    .select(['id', 'accountId'])
    .where('dueAt', '<=', nowMs)
    .orderBy('dueAt')
    .limit(LOOKED_AT)
    .execute()

/** A webhook with the first message that waits, if any does. */
const headOf = ({ db }: Store, webhookId: string) =>
  db
    .selectFrom('webhooks')
    .leftJoin('webhookDeliveries as waiting', (join) =>
      join
        .onRef('waiting.webhookId', '=', 'webhooks.id')
        .onRef('waiting.n', '>', 'webhooks.settled')
        .on('waiting.outcome', 'is', null),
    )
    .select(['webhooks.id', 'webhooks.accountId', 'webhooks.url', 'webhooks.numbered', 'webhooks.settled'])
    .select(['webhooks.attempts', 'waiting.attempts as tries'])
    .select(['waiting.n', 'waiting.messageId', 'waiting.buildingId', 'waiting.type', 'waiting.payload'])
    .where('webhooks.id', '=', webhookId)
    .orderBy('waiting.n')
    .limit(1)
    .executeTakeFirst()
