import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { Orders } from './orders.ts'
import type { PolledDevice, PolledParts } from './polled-device.ts'
import { Poller } from './poller.ts'

export interface HttpOrder {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH'
  /** `{value}` is what is ordered, here and in the body. */
  url: string
  body: string | null
  contentType: string
  min: number
  max: number
}

export interface HttpSettings {
  name: string
  /** Null for a device that only takes orders. */
  url: string | null
  everyMs: number
  headers: Readonly<Record<string, string>>
  ca: string | null
  orders: ReadonlyMap<string, HttpOrder>
}

interface Request {
  method: string
  url: string
  body?: string
  contentType?: string
}

/** The device has understood, and does not do it. */
class HttpRefusal extends Error {}

const TIMEOUT = 408
const TOO_MANY = 429
const ANSWER_MS = 5_000
const MOST_BYTES = 262_144

/** A device with an HTTP interface. Its answer is a message on `http:<device>`, its orders are `http:<device>/<order>/set`. */
export class HttpDevice implements PolledDevice {
  readonly #settings: HttpSettings
  readonly #parts: PolledParts
  readonly #poller: Poller
  readonly #orders = new Orders<string>()
  #isHeard = false

  constructor(settings: HttpSettings, parts: PolledParts) {
    this.#settings = settings
    this.#parts = parts
    this.#poller = new Poller({
      everyMs: settings.everyMs,
      hasOrders: () => !this.#orders.isEmpty,
      round: (signal) => this.#round(signal),
      onFailure: (error) => parts.log(`${this.#topic}: ${error instanceof Error ? error.message : error}`),
    })
  }

  start(topics: ReadonlySet<string>): void {
    this.#isHeard = topics.has(this.#topic)
    this.#poller.start()
  }

  order(topic: string, payload: string): boolean {
    const name = topic.slice(this.#topic.length + 1).replace(/\/set$/, '')
    const order = this.#settings.orders.get(name)
    if (!order) return false
    const why = faultOf(order, payload)
    if (why !== null) {
      this.#parts.log(`${topic}: not sent, because ${why}`)
      return false
    }
    this.#orders.put(name, payload)
    this.#poller.wake()
    return true
  }

  stop(): Promise<void> {
    return this.#poller.stop()
  }

  get #topic(): string {
    return `http:${this.#settings.name}`
  }

  async #round(signal: AbortSignal): Promise<void> {
    const { url, orders } = this.#settings
    await this.#orders.carryOut(async (name, payload) => {
      const order = orders.get(name)
      if (order) await this.#give(name, requestOf(order, payload), signal)
    })
    if (url !== null && this.#isHeard)
      this.#parts.onMessage(this.#topic, await this.#send({ method: 'GET', url }, signal))
  }

  /** What the device refuses is not asked for again. */
  async #give(name: string, request: Request, signal: AbortSignal): Promise<void> {
    try {
      await this.#send(request, signal)
    } catch (error) {
      if (!(error instanceof HttpRefusal)) throw error
      this.#parts.log(`${this.#topic}/${name}: ${error.message}`)
    }
  }

  /** The body of a good answer. Its address may prove who asks, so no log has it. Redirects are none: an order must not arrive somewhere else. */
  #send({ method, url, body, contentType }: Request, signal: AbortSignal): Promise<string> {
    const { headers, ca } = this.#settings
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    const request = url.startsWith('https:') ? requestHttps : requestHttp
    const sent = request(
      url,
      {
        method,
        signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]),
        headers: { ...headers, ...(body !== undefined && { 'content-type': contentType }) },
        ...(ca !== null && { ca }),
      },
      (answer) => {
        const { statusCode = 0 } = answer
        const parts: Buffer[] = []
        let bytes = 0
        answer.on('data', (part: Buffer) => {
          bytes += part.length
          parts.push(part)
          if (bytes > MOST_BYTES) answer.destroy(new Error('its answer is too long'))
        })
        answer.on('error', reject)
        answer.on('end', () => {
          if (statusCode >= 200 && statusCode < 300) resolve(Buffer.concat(parts).toString())
          else reject(failureOf(statusCode, `${method} answers ${statusCode}`))
        })
      },
    )
    sent.on('error', (error) =>
      reject(error.name === 'AbortError' || error.name === 'TimeoutError' ? new Error('it does not answer') : error),
    )
    sent.end(body)
    return promise
  }
}

const failureOf = (status: number, message: string): Error =>
  status >= 300 && status < 500 && status !== TIMEOUT && status !== TOO_MANY
    ? new HttpRefusal(message)
    : new Error(message)

function requestOf({ method, url, body, contentType }: HttpOrder, value: string): Request {
  const placed = url.replaceAll('{value}', encodeURIComponent(value))
  return { method, url: placed, ...(body !== null && { body: body.replaceAll('{value}', value), contentType }) }
}

/** A number must be within the limits; a word such as `ON` has none. */
function faultOf({ min, max }: HttpOrder, payload: string): string | null {
  const value = Number(payload)
  if (payload.trim() === '' || Number.isNaN(value)) return null
  return value < min || value > max ? `${payload} is not within ${min} and ${max}` : null
}
