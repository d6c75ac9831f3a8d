import { createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

interface ReceivedWebhook {
  id: string
  path: string
  headers: IncomingHttpHeaders
  body: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever fields it expects
  message: any
  /** What it was answered; 0 before that. */
  status: number
}

/** Something that takes webhooks, on loopback. */
export class WebhookReceiver {
  readonly received: ReceivedWebhook[] = []
  /** What it answers next. */
  answer: (message: ReceivedWebhook) => number | Promise<number> = () => 204
  #server: Server | undefined

  get url(): string {
    const address = this.#server?.address() as AddressInfo | undefined
    return `http://127.0.0.1:${address?.port}/heating`
  }

  /** Those it has taken. */
  get taken(): ReceivedWebhook[] {
    return this.received.filter(({ status }) => status >= 200 && status < 300)
  }

  async start(): Promise<void> {
    this.#server = createServer(async (request, response) => {
      try {
        const body = await text(request)
        const { headers } = request
        const path = request.url ?? ''
        const got = { id: String(headers['webhook-id']), path, headers, body, message: JSON.parse(body), status: 0 }
        this.received.push(got)
        got.status = await this.answer(got)
        response.writeHead(got.status, got.status === 302 ? { location: `${this.url}/elsewhere` } : {}).end('whatever')
      } catch {
        // The sender was killed in the middle.
      }
    })
    await once(this.#server.listen(0, '127.0.0.1'), 'listening')
  }

  async stop(): Promise<void> {
    this.#server?.closeAllConnections()
    await new Promise((resolve) => (this.#server ? this.#server.close(resolve) : resolve(undefined)))
  }
}

/** As the specification of Standard Webhooks says, in code that the service does not share. */
export function isSignedBy(secret: string, { headers, body }: Pick<ReceivedWebhook, 'headers' | 'body'>): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const expected = createHmac('sha256', key).update(content).digest()
  return String(headers['webhook-signature'])
    .split(' ')
    .map((signature) => Buffer.from(signature.replace(/^v1,/, ''), 'base64'))
    .some((signature) => signature.length === expected.length && timingSafeEqual(signature, expected))
}
