import { type AlertFacts, type Language, MINUTE_MS, mayDo } from '@hypocaust/domain'
import type { Logger } from 'pino'
import type { Clock } from '../../base/clock.ts'
import { isActive } from '../../house/membership.ts'
import type { Store } from '../../store/store.ts'
import type { Mailer } from '../notify/mail/mailer.ts'
import type { PushSender } from '../notify/push/sender.ts'
import { choiceOf } from './choices.ts'
import { letterFrom, messageOf, type Turn } from './words.ts'

interface NotifierParts {
  store: Store
  clock: Clock
  logger: Logger
  mailer: Mailer | undefined
  push: PushSender
}

const AT_ONCE = 20
/** Of one account: its devices may answer slowly, and the others are not to wait for them. */
const AT_ONCE_EACH = 4
/** So long nobody else tries; a process that dies meanwhile leaves it to the others. */
const CLAIMED_MS = 2 * MINUTE_MS
const LONGEST_PAUSE_MS = 60 * MINUTE_MS
const MOST_ATTEMPTS = 14

type Notification = Awaited<ReturnType<typeof dueNotifications>>[number]

/** Notifies each reader once of what has begun and of what is over, and retries what failed. */
export class AlertNotifier {
  readonly #parts: NotifierParts

  constructor(parts: NotifierParts) {
    this.#parts = parts
  }

  /** False when nothing was due. */
  async notifySome(): Promise<boolean> {
    const { store, clock } = this.#parts
    const due = await dueNotifications(store, clock.now())
    await Promise.all(due.map((notification) => this.#notify(notification)))
    return due.length > 0
  }

  async #notify(notification: Notification): Promise<void> {
    const turn: Turn = notification.beganToldAt === null ? 'began' : 'ended'
    // Over before anyone was notified: nothing needs to be sent.
    if (turn === 'began' && notification.endedAt !== null) return this.#settle(notification, { dueAt: null })
    if (!(await this.#claim(notification))) return
    try {
      const outcome = await this.#send(notification, turn)
      await this.#settle(notification, outcome === 'unwanted' ? { dueAt: null } : this.#sentAt(turn))
    } catch (err) {
      await this.#failed(notification, err)
    }
  }

  /** Of several processes one changes the row it has read; the others find it changed. */
  async #claim({ id, dueAt, attempts, beganToldAt }: Notification): Promise<boolean> {
    const { store, clock } = this.#parts
    const { numUpdatedRows } = await store.db
      .updateTable('tellings')
      .set({ dueAt: clock.now() + CLAIMED_MS, attempts: attempts + 1 })
      .where('id', '=', id)
      .where('dueAt', '=', dueAt)
      .where('attempts', '=', attempts)
      // A row sent in the very millisecond it was due would otherwise look unchanged.
      .where('beganToldAt', beganToldAt === null ? 'is' : '=', beganToldAt)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }

  async #send(notification: Notification, turn: Turn): Promise<'sent' | 'unwanted'> {
    const { store, mailer, push } = this.#parts
    // The reader has left the building since, or has another role.
    if (notification.role === null || !mayDo(notification.role, 'alerts')) return 'unwanted'
    const alert = JSON.parse(notification.alert) as AlertFacts
    const say = (language: Language) => messageOf(language, alert, turn, notification.timezone)
    if (notification.deviceId !== null) {
      const { endpoint, p256dh, auth, language } = notification
      if (endpoint === null || p256dh === null || auth === null || language === null) return 'unwanted'
      await push.send(
        { id: notification.deviceId, endpoint, p256dh, auth },
        { ...say(language), tag: notification.alertId },
      )
      return 'sent'
    }
    const choice = await choiceOf(store, notification.accountId)
    if (!mailer || !choice?.mail) return 'unwanted'
    const letter = letterFrom(choice.language, say(choice.language), mailer.publicUrl, alert.building)
    await mailer.send(notification.email, letter, `${notification.id}.${turn}`)
    return 'sent'
  }

  /** After the beginning the row waits, due at once, until the alert has ended. */
  #sentAt(turn: Turn) {
    const nowMs = this.#parts.clock.now()
    return turn === 'began' ? { beganToldAt: nowMs, dueAt: nowMs, attempts: 0 } : { endedToldAt: nowMs, dueAt: null }
  }

  async #failed(notification: Notification, err: unknown): Promise<void> {
    const { clock, logger } = this.#parts
    const attempts = notification.attempts + 1
    const isLast = attempts >= MOST_ATTEMPTS
    const pauseMs = Math.min(LONGEST_PAUSE_MS, MINUTE_MS * 2 ** (attempts - 1))
    const way = notification.deviceId === null ? 'mail' : 'push'
    logger.warn(
      { err, way, attempts },
      isLast ? 'a notification could not be sent; giving up' : 'a notification could not be sent; retrying later',
    )
    await this.#settle(notification, { dueAt: isLast ? null : clock.now() + pauseMs })
  }

  async #settle(
    { id }: Notification,
    set: { dueAt: number | null; beganToldAt?: number; endedToldAt?: number; attempts?: number },
  ) {
    await this.#parts.store.db.updateTable('tellings').set(set).where('id', '=', id).execute()
  }
}

/** The beginning of an alert that cannot be judged at the moment is not sent: it may be over. */
function dueNotifications({ db }: Store, nowMs: number) {
  const due = db
    .selectFrom('tellings')
    .innerJoin('alerts', 'alerts.id', 'tellings.alertId')
    .innerJoin('buildings', 'buildings.id', 'alerts.buildingId')
    .innerJoin('user', 'user.id', 'tellings.accountId')
    .leftJoin('members', (join) =>
      join
        .onRef('members.buildingId', '=', 'alerts.buildingId')
        .onRef('members.accountId', '=', 'tellings.accountId')
        .on(isActive(nowMs)),
    )
    .leftJoin('pushDevices', 'pushDevices.id', 'tellings.deviceId')
    .select([
      'tellings.id',
      'tellings.alertId',
      'tellings.deviceId',
      'tellings.dueAt',
      'tellings.attempts',
      'tellings.beganToldAt',
      'alerts.alert',
      'alerts.endedAt',
      'tellings.accountId',
      'members.role',
      'buildings.timezone',
      'user.email',
      'pushDevices.endpoint',
      'pushDevices.p256dh',
      'pushDevices.auth',
      'pushDevices.language',
    ])
    .select(({ fn }) =>
      fn
        .agg<number>('row_number')
        .over((over) => over.partitionBy('tellings.accountId').orderBy('tellings.dueAt'))
        .as('nthOfAccount'),
    )
    .where('tellings.dueAt', '<=', nowMs)
    .where((eb) =>
      eb.or([
        eb('alerts.endedAt', 'is not', null),
        eb.and([eb('tellings.beganToldAt', 'is', null), eb('alerts.absentSince', 'is', null)]),
      ]),
    )
  return db
    .selectFrom(due.as('due'))
    .selectAll()
    .where('nthOfAccount', '<=', AT_ONCE_EACH)
    .orderBy('dueAt')
    .limit(AT_ONCE)
    .execute()
}
