import { createHmac } from 'node:crypto'

const PREFIX = 'whsec_'

/** Derived from the secret of the service rather than stored: a copy of the database signs nothing. */
export const secretOf = (authSecret: string, webhookId: string): string =>
  PREFIX + createHmac('sha256', authSecret).update(`webhook ${webhookId}`).digest('base64')

/** The headers of Standard Webhooks 1.0. */
export function signedHeaders(
  secret: string,
  { id, atMs, body }: { id: string; atMs: number; body: string },
): Record<string, string> {
  const timestamp = String(Math.floor(atMs / 1000))
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}
