import { systemClock } from '../../base/clock.ts'
import { during, traceparentOf } from '../../base/tracing/span.ts'
import { NO_TRACES, type Tracer } from '../../base/tracing/tracer.ts'
import { VERSION } from '../../base/version.ts'
import type { Message } from './messages.ts'
import type { Answer, WebhookNetwork } from './network.ts'
import { secretOf, signedHeaders } from './signature.ts'

interface SenderParts {
  network: WebhookNetwork
  /** What the secrets of webhooks are derived from. */
  authSecret: string
  /** Left out, nothing is traced. */
  tracer?: Tracer
}

export const isTaken = (answer: Answer): boolean => typeof answer === 'number' && answer >= 200 && answer <= 299

/** Signs messages and posts them. */
export class WebhookSender {
  readonly #parts: SenderParts

  constructor(parts: SenderParts) {
    this.#parts = parts
  }

  accepts(url: string): boolean {
    return this.#parts.network.accepts(url)
  }

  secretOf(webhookId: string): string {
    return secretOf(this.#parts.authSecret, webhookId)
  }

  send(
    webhook: { id: string; url: string },
    { id, payload: body }: Pick<Message, 'id' | 'payload'>,
    stopping?: AbortSignal,
  ): Promise<Answer> {
    // By the real clock, whatever the service goes by: receivers refuse what seems old.
    const signed = signedHeaders(this.secretOf(webhook.id), { id, atMs: systemClock.now(), body })
    const headers = { 'content-type': 'application/json', 'user-agent': `Hypocaust/${VERSION}`, ...signed }
    const { network, tracer = NO_TRACES } = this.#parts
    const span = tracer.begin('webhook', 'client')
    if (!span) return network.post(webhook.url, headers, body, stopping)
    return during(span, async () => {
      const traced = { ...headers, traceparent: traceparentOf(span) }
      const answer = await network.post(webhook.url, traced, body, stopping)
      if (typeof answer === 'number') span.attributes['http.response.status_code'] = answer
      span.failed = !isTaken(answer)
      return answer
    })
  }
}
