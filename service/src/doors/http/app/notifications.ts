import { NewPushDevice, NotificationChoice, Notifications, TestResult, timestampOf } from '@hypocaust/domain'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Clock } from '../../../base/clock.ts'
import { errors } from '../../../base/errors.ts'
import { choiceOf, choose, languageOf } from '../../../people/alerts/choices.ts'
import { letterFrom, testMessage } from '../../../people/alerts/words.ts'
import type { Mailer } from '../../../people/notify/mail/mailer.ts'
import { addDevice, devicesOf, removeDevice } from '../../../people/notify/push/devices.ts'
import type { PushSender } from '../../../people/notify/push/sender.ts'
import type { Store } from '../../../store/store.ts'
import { rateLimits } from '../common-limits.ts'
import { idOf } from './answers.ts'

export interface NotificationParts {
  store: Store
  clock: Clock
  logger: Logger
  mailer: Mailer | undefined
  push: PushSender
}

const TESTS = 5
const TESTS_WITHIN_S = 15 * 60

/** How the owner is notified of alerts: by mail, and on which devices. */
export function notificationRoutes(app: FastifyInstance, parts: NotificationParts): void {
  const { store, clock, push } = parts
  const tests = rateLimits('test messages', { read: 0, write: TESTS }, store, clock, TESTS_WITHIN_S)
  const answer = { hide: true, response: { 200: Notifications } }

  app.get(
    '/notifications',
    { schema: { ...answer, summary: 'How the owner is notified of alerts, and on which devices' } },
    (request) => notificationsOf(request, parts),
  )

  app.put<{ Body: NotificationChoice }>(
    '/notifications',
    {
      schema: {
        ...answer,
        summary: 'Choose the kinds of notifications, and whether by mail',
        body: NotificationChoice,
      },
    },
    async (request) => {
      await choose(store, request.signedIn.accountId, request.body)
      return notificationsOf(request, parts)
    },
  )

  app.put<{ Body: NewPushDevice }>(
    '/notifications/devices',
    { schema: { ...answer, summary: 'Add this browser as a device, or update its keys', body: NewPushDevice } },
    async (request) => {
      const { signedIn, body } = request
      if (!push.accepts(body.endpoint)) throw errors.invalidValue('endpoint: not the address of a push service')
      const owner = { ...signedIn, userAgent: String(request.headers['user-agent'] ?? '') }
      await addDevice(store, owner, body, clock.now())
      return notificationsOf(request, parts)
    },
  )

  app.delete<{ Params: { deviceId: string } }>(
    '/notifications/devices/:deviceId',
    { schema: { ...answer, summary: 'Remove a device', params: idOf('deviceId', 'device') } },
    async (request) => {
      const { deviceId } = request.params
      if (!(await removeDevice(store, request.signedIn.accountId, deviceId))) throw errors.noSuch('device', deviceId)
      return notificationsOf(request, parts)
    },
  )

  app.post(
    '/notifications/test',
    { schema: { hide: true, summary: 'Send a test to all devices and by mail', response: { 200: TestResult } } },
    async (request) => {
      const { exceeded, resetS } = await tests.spend(request.signedIn.accountId, 'write')
      if (exceeded) throw errors.rateLimited(resetS)
      const [mail, sentTo] = await Promise.all([testMail(request, parts), testPush(request, parts)])
      return { mail, push: sentTo }
    },
  )
}

async function notificationsOf(
  { signedIn: { accountId, email }, headers }: FastifyRequest,
  { store, mailer, push }: NotificationParts,
): Promise<Notifications> {
  const [choice, devices, push_key] = await Promise.all([
    choiceOf(store, accountId),
    devicesOf(store, accountId),
    push.publicKey(),
  ])
  return {
    ...(choice ?? { mail: false, language: languageOf(headers['accept-language'] ?? null), muted: [] }),
    mail_possible: mailer !== undefined,
    address: email,
    push_key,
    devices: devices.map(({ id, endpoint, userAgent, createdAt }) => ({
      id,
      endpoint,
      user_agent: userAgent,
      created: timestampOf(createdAt),
    })),
  }
}

type Outcome = TestResult['mail']

async function testMail({ signedIn }: FastifyRequest, { store, mailer, logger }: NotificationParts): Promise<Outcome> {
  const choice = await choiceOf(store, signedIn.accountId)
  if (!mailer || !choice?.mail) return 'off'
  const letter = letterFrom(choice.language, testMessage(choice.language), mailer.publicUrl)
  return outcomeOf([mailer.send(signedIn.email, letter, crypto.randomUUID())], logger)
}

async function testPush({ signedIn }: FastifyRequest, { store, push, logger }: NotificationParts): Promise<Outcome> {
  const devices = await devicesOf(store, signedIn.accountId)
  const sendings = devices.map((device) => push.send(device, { ...testMessage(device.language), tag: 'test' }))
  return sendings.length === 0 ? 'off' : outcomeOf(sendings, logger)
}

/** Sent when one of them went: the others are then seen to be missing. */
async function outcomeOf(sendings: Promise<void>[], logger: Logger): Promise<Outcome> {
  const results = await Promise.allSettled(sendings)
  for (const result of results) if (result.status === 'rejected') logger.warn({ err: result.reason }, 'test not sent')
  return results.some(({ status }) => status === 'fulfilled') ? 'sent' : 'failed'
}
