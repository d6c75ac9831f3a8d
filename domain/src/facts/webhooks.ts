/** What a webhook can be about. */
export const WEBHOOK_EVENTS = ['alert', 'gateway', 'change', 'away', 'override'] as const
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number]

/** What `type` of a message says, by what the webhook must be about. */
export const WEBHOOK_TYPES = {
  'alert.began': 'alert',
  'alert.ended': 'alert',
  'gateway.lost': 'gateway',
  'gateway.restored': 'gateway',
  'setting.changed': 'change',
  'away.changed': 'away',
  'override.changed': 'override',
} as const satisfies Record<string, WebhookEvent>
export type WebhookType = keyof typeof WEBHOOK_TYPES

/** Of the message that the test button sends. */
export const WEBHOOK_TEST = 'webhook.test'

export const MOST_WEBHOOKS = 10
