import Type, { type Static } from 'typebox'
import { WEBHOOK_EVENTS } from '../facts/webhooks.ts'
import { Nullable, OneOf, Timestamp } from '../schema.ts'

const Events = Type.Array(OneOf(WEBHOOK_EVENTS, ''), {
  minItems: 1,
  maxItems: WEBHOOK_EVENTS.length,
  uniqueItems: true,
  description: 'What it is sent.',
})

const Url = Type.String({
  minLength: 8,
  maxLength: 1024,
  pattern: '^https?://',
  description: 'Where messages are sent.',
  examples: ['https://receiver.example.org/heating'],
})

export const NewWebhook = Type.Object({ url: Url, events: Events }, { additionalProperties: false })
export type NewWebhook = Static<typeof NewWebhook>

export const Webhook = Type.Object({
  id: Type.String(),
  url: Type.String(),
  events: Events,
  created: Timestamp('When it was added.'),
  disabled: Nullable(Timestamp('Since then nothing is sent: the receiver answered 410.')),
  waiting: Type.Integer({ description: 'How many messages wait to be delivered.' }),
  retry_at: Nullable(Timestamp('When the next attempt is made, after one that failed.')),
})
export type Webhook = Static<typeof Webhook>

export const CreatedWebhook = Type.Object({
  ...Webhook.properties,
  secret: Type.String({ description: 'Signs the messages. Shown once.' }),
})
export type CreatedWebhook = Static<typeof CreatedWebhook>

/** Why there was no answer. */
const PROBLEMS = ['timeout', 'unreachable', 'address_not_allowed'] as const
export type WebhookProblem = (typeof PROBLEMS)[number]

const Attempt = {
  status: Nullable(Type.Integer({ description: 'The HTTP status that the receiver answered last.' })),
  problem: Type.Unsafe<WebhookProblem | null>({
    type: ['string', 'null'],
    enum: [...PROBLEMS, null],
    description: 'Why there was no answer.',
  }),
}

export const WebhookTest = Type.Object({ delivered: Type.Boolean(), ...Attempt })
export type WebhookTest = Static<typeof WebhookTest>

export const WebhookDelivery = Type.Object({
  id: Type.String({ description: 'The header `webhook-id`.' }),
  type: Type.String({ description: 'Of the message.' }),
  building: Nullable(Type.String({ description: 'Name of the building; null for a test.' })),
  queued: Timestamp('When the event happened.'),
  state: OneOf(
    ['waiting', 'delivered', 'failed', 'withdrawn'],
    'Withdrawn: the account may no longer see it, or the webhook was disabled.',
  ),
  attempts: Type.Integer(),
  tried: Nullable(Timestamp('The last attempt.')),
  ...Attempt,
})
export type WebhookDelivery = Static<typeof WebhookDelivery>
