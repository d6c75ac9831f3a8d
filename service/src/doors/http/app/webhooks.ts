import { CreatedWebhook, NewWebhook, Webhook, WebhookDelivery, WebhookTest } from '@hypocaust/domain'
import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import type { Clock } from '../../../base/clock.ts'
import { errors } from '../../../base/errors.ts'
import type { WebhookSender } from '../../../people/webhooks/sender.ts'
import { addWebhook, deliveriesOf, removeWebhook, testWebhook, webhooksOf } from '../../../people/webhooks/webhooks.ts'
import type { Store } from '../../../store/store.ts'
import { rateLimits } from '../common-limits.ts'
import { DONE, idOf } from './answers.ts'

interface WebhookParts {
  store: Store
  clock: Clock
  webhooks: WebhookSender
}

interface OfWebhook {
  Params: { webhookId: string }
}

const TESTS = 10
const TESTS_WITHIN_S = 15 * 60

/** Addresses that are notified of events in the buildings of the account. */
export function webhookRoutes(app: FastifyInstance, { store, clock, webhooks }: WebhookParts): void {
  const tests = rateLimits('webhook tests', { read: 0, write: TESTS }, store, clock, TESTS_WITHIN_S)
  const ofWebhook = idOf('webhookId', 'webhook')
  const find = async (accountId: string, id: string) => {
    const webhook = (await webhooksOf(store, accountId)).find((each) => each.id === id)
    if (!webhook) throw errors.noSuch('webhook', id)
    return webhook
  }

  app.get(
    '/webhooks',
    { schema: { hide: true, summary: 'List the webhooks of the account', response: { 200: Type.Array(Webhook) } } },
    ({ signedIn }) => webhooksOf(store, signedIn.accountId),
  )

  app.post<{ Body: NewWebhook }>(
    '/webhooks',
    {
      schema: {
        hide: true,
        summary: 'Add a webhook; its secret is returned only once',
        body: NewWebhook,
        response: { 200: CreatedWebhook },
      },
    },
    async ({ signedIn: { accountId }, body }) => {
      if (!webhooks.accepts(body.url))
        throw errors.invalidValue('url must be an https address on the internet, unless the operator allows others')
      const id = await addWebhook(store, accountId, body, clock.now())
      return { ...(await find(accountId, id)), secret: webhooks.secretOf(id) }
    },
  )

  app.delete<OfWebhook>(
    '/webhooks/:webhookId',
    { schema: { hide: true, summary: 'Remove a webhook, at once', params: ofWebhook, response: DONE } },
    async ({ signedIn, params: { webhookId } }, reply) => {
      if (!(await removeWebhook(store, signedIn.accountId, webhookId))) throw errors.noSuch('webhook', webhookId)
      return reply.code(204).send()
    },
  )

  app.post<OfWebhook>(
    '/webhooks/:webhookId/test',
    {
      schema: {
        hide: true,
        summary: 'Send a test message, and wait for the answer',
        params: ofWebhook,
        response: { 200: WebhookTest },
      },
    },
    async ({ signedIn: { accountId }, params: { webhookId } }) => {
      const webhook = await find(accountId, webhookId)
      const { exceeded, resetS } = await tests.spend(accountId, 'write')
      if (exceeded) throw errors.rateLimited(resetS)
      return testWebhook(store, webhooks, webhook, () => clock.now())
    },
  )

  app.get<OfWebhook>(
    '/webhooks/:webhookId/deliveries',
    {
      schema: {
        hide: true,
        summary: 'The latest deliveries of a webhook',
        params: ofWebhook,
        response: { 200: Type.Array(WebhookDelivery) },
      },
    },
    async ({ signedIn, params: { webhookId } }) => {
      await find(signedIn.accountId, webhookId)
      return deliveriesOf(store, webhookId)
    },
  )
}
