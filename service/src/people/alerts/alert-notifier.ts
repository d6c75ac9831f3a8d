import { type Alert, type Language, MINUTE_MS, mayDo } from '@hypocaust/domain'
import type { Logger } from 'pino'
import type { Clock } from '../../base/clock.ts'
import { isActive } from '../../house/membership.ts'
import type { Store } from '../../store/store.ts'
import type { Mailer } from '../notify/mail/mailer.ts'
import type { PushSender } from '../notify/push/sender.ts'
import { choiceOf } from './choices.ts'
import { letterFrom, messageOf, type Turn } from './words.ts'

interface TellerParts {
  store: Store
  clock: Clock
  logger: Logger
  mailer: Mailer | undefined
  push: PushSender
}

const AT_ONCE = 20
/** So long nobody else tries; a process that dies meanwhile leaves it to the others. */
const CLAIMED_MS = 2 * MINUTE_MS
const LONGEST_PAUSE_MS = 60 * MINUTE_MS
const MOST_ATTEMPTS = 14

type Telling = Awaited<ReturnType<typeof dueTellings>>[number]

/** Tells what has begun and what is over, once to each reader, and tries again what failed. */
export class AlertNotifier {
  readonly #parts: TellerParts

  constructor(parts: TellerParts) {
    this.#parts = parts
  }

  /** False when nothing was due. */
  async notifySome(): Promise<boolean> {
    const { store, clock } = this.#parts
    const due = await dueTellings(store, clock.now())
    await Promise.all(due.map((telling) => this.#tell(telling)))
    return due.length > 0
  }

  async #tell(telling: Telling): Promise<void> {
    const turn: Turn = telling.beganToldAt === null ? 'began' : 'ended'
    // Over before anyone was notified: nothing needs to be sent.
    if (turn === 'began' && telling.endedAt !== null) return this.#settle(telling, { dueAt: null })
    if (!(await this.#claim(telling))) return
    try {
      const outcome = await this.#send(telling, turn)
      await this.#settle(telling, outcome === 'unwanted' ? { dueAt: null } : this.#sentAt(turn))
    } catch (err) {
      await this.#failed(telling, err)
    }
  }

  /** Of several processes one changes the row it has read; the others find it changed. */
  async #claim({ id, dueAt, attempts, beganToldAt }: Telling): Promise<boolean> {
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

  async #send(telling: Telling, turn: Turn): Promise<'sent' | 'unwanted'> {
    const { store, mailer, push } = this.#parts
    // The reader has left the building since, or has another role.
    if (telling.role === null || !mayDo(telling.role, 'alerts')) return 'unwanted'
    const alert = JSON.parse(telling.alert) as Alert
    const say = (language: Language) => messageOf(language, alert, turn, telling.timezone)
    if (telling.deviceId !== null) {
      const { endpoint, p256dh, auth, language } = telling
      if (endpoint === null || p256dh === null || auth === null || language === null) return 'unwanted'
      await push.send({ id: telling.deviceId, endpoint, p256dh, auth }, { ...say(language), tag: telling.alertId })
      return 'sent'
    }
    const choice = await choiceOf(store, telling.accountId)
    if (!mailer || !choice?.mail) return 'unwanted'
    const letter = letterFrom(choice.language, say(choice.language), mailer.publicUrl, alert.building)
    await mailer.send(telling.email, letter, `${telling.id}.${turn}`)
    return 'sent'
  }

  /** After the beginning the row waits, due at once, until the alert has ended. */
  #sentAt(turn: Turn) {
    const nowMs = this.#parts.clock.now()
    return turn === 'began' ? { beganToldAt: nowMs, dueAt: nowMs, attempts: 0 } : { endedToldAt: nowMs, dueAt: null }
  }

  async #failed(telling: Telling, err: unknown): Promise<void> {
    const { clock, logger } = this.#parts
    const attempts = telling.attempts + 1
    const isLast = attempts >= MOST_ATTEMPTS
    const pauseMs = Math.min(LONGEST_PAUSE_MS, MINUTE_MS * 2 ** (attempts - 1))
    const way = telling.deviceId === null ? 'mail' : 'push'
    logger.warn(
      { err, way, attempts },
      isLast ? 'a notification could not be sent; giving up' : 'a notification could not be sent; retrying later',
    )
    await this.#settle(telling, { dueAt: isLast ? null : clock.now() + pauseMs })
  }

  async #settle(
    { id }: Telling,
    set: { dueAt: number | null; beganToldAt?: number; endedToldAt?: number; attempts?: number },
  ) {
    await this.#parts.store.db.updateTable('tellings').set(set).where('id', '=', id).execute()
  }
}

/** The beginning of an alert that cannot be judged at the moment is not sent: it may be over. */
function dueTellings({ db }: Store, nowMs: number) {
  return db
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
    .where('tellings.dueAt', '<=', nowMs)
    .where((eb) =>
      eb.or([
        eb('alerts.endedAt', 'is not', null),
        eb.and([eb('tellings.beganToldAt', 'is', null), eb('alerts.absentSince', 'is', null)]),
      ]),
    )
    .orderBy('tellings.dueAt')
    .limit(AT_ONCE)
    .execute()
}
