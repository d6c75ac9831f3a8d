import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Heard } from '../adapters/adapter.ts'
import type { Log } from '../base/log.ts'
import type { PageSettings } from '../config/settings.ts'
import type { AgentState, SensorState } from './state.ts'
import { STYLE } from './style.ts'
import { PageToken } from './token.ts'
import { document, messageView, pairView, type Shown, signInView, statusView } from './view.ts'
import { languageOf, wordsIn } from './words.ts'

const MOST_LINES = 200
const MOST_SENSORS = 500
const MOST_BODY_BYTES = 4096
const TEST_S = 60

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
}

export interface PairForm {
  service: string
  code: string
  /** Fingerprint of the service's own authority. */
  authority: string | null
}

export interface PageParts {
  settings: PageSettings
  dataFolder: string
  sensorNames: ReadonlyMap<string, string>
  log: Log
  now(): number
  /** Opens a loop for a while; lines of its course go to the log. */
  test(channel: number, seconds: number, log: Log): Promise<void>
  pair(form: PairForm): Promise<{ gateway: string; building: string }>
}

interface Answer {
  status: number
  headers?: Record<string, string>
  body: string
}

/** The page of the agent in the local network: what it does, without the service. */
export class LocalPage {
  readonly #parts: PageParts
  readonly #token: PageToken
  readonly #server: Server
  readonly #lines: string[] = []
  readonly #sensors = new Map<string, SensorState>()
  #agent: (() => AgentState) | null = null
  #isTesting = false

  constructor(parts: PageParts) {
    this.#parts = parts
    this.#token = new PageToken(parts.dataFolder)
    this.#server = createServer((request, response) => void this.#answer(request, response))
    this.#server.requestTimeout = this.#server.headersTimeout = 10_000
    this.#server.maxConnections = 32
  }

  /** Resolved once the page has listened or failed to: a port that is taken is no reason not to heat. */
  start(): Promise<void> {
    const { log, settings, dataFolder } = this.#parts
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#server.on('error', (error) => {
      log(`the local page cannot listen on ${settings.host}:${settings.port}: ${error.message}`)
      resolve()
    })
    this.#server.listen(settings.port, settings.host, () => {
      log(`the local page is at ${this.url}; its token is in ${dataFolder}/page-token`)
      resolve()
    })
    return promise
  }

  get url(): string {
    const { host } = this.#parts.settings
    const address = this.#server.address()
    const port = typeof address === 'object' && address ? address.port : this.#parts.settings.port
    return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  /** From now on the page shows this agent. */
  show(agent: () => AgentState): void {
    this.#agent = agent
  }

  keepLine(line: string): void {
    this.#lines.push(line)
    if (this.#lines.length > MOST_LINES) this.#lines.shift()
  }

  hear({ id, temperature, humidity, batt, measuredMs }: Heard): void {
    if (!this.#sensors.has(id) && this.#sensors.size >= MOST_SENSORS) return
    const name = this.#parts.sensorNames.get(id) ?? null
    this.#sensors.set(id, { id, name, temperature, humidity, battery: batt, atMs: measuredMs })
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let answer: Answer
    try {
      answer = await this.#answerTo(request)
    } catch (error) {
      // The client has gone. Any device in the network could fill the log with such requests.
      if (request.socket.destroyed) return
      this.#parts.log(`the local page failed: ${error instanceof Error ? error.message : error}`)
      answer = { status: 500, body: '' }
    }
    response.writeHead(answer.status, { ...HEADERS, ...answer.headers }).end(answer.body)
  }

  async #answerTo(request: IncomingMessage): Promise<Answer> {
    const language = languageOf(request.headers['accept-language'])
    const shown: Shown = { language, t: wordsIn(language), csrf: this.#token.csrf }
    const what = `${request.method} ${request.url}`
    if (what === 'GET /style.css')
      return { status: 200, headers: { 'content-type': 'text/css; charset=utf-8' }, body: STYLE }
    if (what === 'POST /sign-in') return this.#signIn(shown, await formOf(request))
    if (!this.#token.isSignedIn(request.headers.cookie))
      return { status: 401, body: document(shown, signInView(shown, false)) }
    if (what === 'GET /') return { status: 200, body: document(shown, statusView(shown, this.#status()), true) }
    if (what === 'GET /pair') return { status: 200, body: document(shown, pairView(shown)) }
    if (what !== 'POST /test' && what !== 'POST /pair') return { status: 404, body: '' }
    const form = await formOf(request)
    if (!this.#token.isCsrf(form.get('csrf') ?? '')) return { status: 403, body: '' }
    return what === 'POST /test' ? this.#test(Number(form.get('channel'))) : this.#pair(shown, form)
  }

  #signIn(shown: Shown, form: URLSearchParams): Answer {
    if (!this.#token.isToken(form.get('token') ?? ''))
      return { status: 401, body: document(shown, signInView(shown, true)) }
    return { status: 303, headers: { location: '/', 'set-cookie': this.#token.cookie }, body: '' }
  }

  #status() {
    const agent = this.#agent?.() ?? null
    const sensors = [...this.#sensors.values()]
    return { agent, sensors, lines: this.#lines, isTesting: this.#isTesting, nowMs: this.#parts.now() }
  }

  /** One at a time; it goes on while the page is looked at. */
  #test(channel: number): Answer {
    const { test, log } = this.#parts
    const isKnown = this.#agent?.().channels.some((each) => each.channel === channel)
    if (!isKnown) return { status: 404, body: '' }
    if (!this.#isTesting) {
      this.#isTesting = true
      test(channel, TEST_S, log)
        .catch((error: Error) => log(`the test of channel ${channel} failed: ${error.message}`))
        .finally(() => {
          this.#isTesting = false
        })
    }
    return { status: 303, headers: { location: '/' }, body: '' }
  }

  async #pair(shown: Shown, form: URLSearchParams): Promise<Answer> {
    const { t } = shown
    const [service = '', code = '', authority = ''] = ['service', 'code', 'authority'].map(
      (name) => form.get(name)?.trim() ?? '',
    )
    try {
      const { gateway, building } = await this.#parts.pair({ service, code, authority: authority || null })
      const lines = [t('paired', { gateway, building }), ...(this.#agent ? [t('restart')] : [])]
      return { status: 200, body: document(shown, messageView(shown, lines)) }
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      return { status: 422, body: document(shown, messageView(shown, [t('failed', { why })])) }
    }
  }
}

async function formOf(request: IncomingMessage): Promise<URLSearchParams> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length
    if (bytes > MOST_BODY_BYTES) return new URLSearchParams()
    parts.push(part)
  }
  return new URLSearchParams(Buffer.concat(parts).toString('utf8'))
}
