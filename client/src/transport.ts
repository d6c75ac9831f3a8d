import { errorOfAnswer, errorOfRedirect, HypocaustError, parsed } from './error.ts'
import type { Surroundings } from './retry.ts'

export interface Request {
  /** All may be sent twice: reading changes nothing, and the others carry absolute values or end something. */
  method: 'GET' | 'PATCH' | 'POST' | 'PUT' | 'DELETE'
  path: string
  body?: unknown
  signal?: AbortSignal
  /** How much longer than usual the answer may take. */
  extraMs?: number
  /** The answer is of no use to a later request. */
  isUnique?: boolean
  /** The path under which its answer is kept, where that is another than its own. */
  keptAs?: string
  /** Written only where it is still as it was last read. */
  ifUnchanged?: boolean
  /** The answer that the caller has, where it is not what was read last. */
  known?: KeptAnswer
}

/** The text and not the value: what a caller does to an answer must not show in the next. */
interface KeptAnswer {
  etag: string
  text: string
}

export interface TransportOptions {
  baseUrl: string
  apiKey: string
  fetch: typeof fetch
  timeoutMs: number
}

const CACHED_PATHS = 500
/** Three times as long as the service is ever silent on a stream. */
const STREAM_SILENT_MS = 45_000

/** One request, one answer; what was read before is asked for with its tag. */
export class Transport {
  readonly #options: TransportOptions
  readonly #surroundings: Surroundings
  readonly #cache = new Map<string, KeptAnswer>()

  constructor(options: TransportOptions, surroundings: Surroundings) {
    this.#options = options
    this.#surroundings = surroundings
  }

  async send(request: Request): Promise<unknown> {
    const { path, isUnique = false, keptAs = path, known } = request
    const cached = known ?? (isUnique ? undefined : this.#cache.get(keptAs))
    const { answer, text } = await this.#exchange(request, conditionOf(request, cached?.etag))
    if (answer.status === 304 && cached) return JSON.parse(cached.text)
    const url = this.#options.baseUrl + path
    const value = parsed(text)
    const redirect = errorOfRedirect(answer, value, url)
    if (redirect) throw redirect
    if (!answer.ok || value === undefined) throw errorOfAnswer(answer, value, url, this.#surroundings.now())
    if (!isUnique) this.#remember(keptAs, answer.headers.get('etag'), text)
    return value
  }

  /** Reading the body is part of it: the connection can break, or the caller lose patience, until the last byte. */
  async #exchange({ method, path, body, signal, extraMs = 0 }: Request, condition: Record<string, string>) {
    const { baseUrl, apiKey } = this.#options
    const timeoutMs = this.#options.timeoutMs + extraMs
    const timeout = AbortSignal.timeout(timeoutMs)
    try {
      const answer = await this.#options.fetch(baseUrl + path, {
        method,
        headers: {
          'x-api-key': apiKey,
          ...condition,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        cache: 'no-store',
        credentials: 'omit',
        // Followed, the key would go along to wherever the redirect points.
        redirect: 'manual',
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      })
      return { answer, text: await answer.text() }
    } catch (cause) {
      if (signal?.aborted) throw signal.reason
      throw whyNoAnswer(cause, timeout.aborted, baseUrl, timeoutMs)
    }
  }

  /** The text of a stream, piece by piece, until the connection ends or nothing has come for long. */
  async stream(path: string, lastEventId: string | undefined, signal?: AbortSignal): Promise<AsyncIterable<string>> {
    const { baseUrl, apiKey, timeoutMs } = this.#options
    const silence = new Silence(timeoutMs)
    const trouble = (cause: unknown, limitMs: number): unknown =>
      signal?.aborted ? signal.reason : whyNoAnswer(cause, silence.signal.aborted, baseUrl, limitMs)
    const opened = this.#options.fetch(baseUrl + path, {
      headers: {
        accept: 'text/event-stream',
        'x-api-key': apiKey,
        ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
      },
      cache: 'no-store',
      credentials: 'omit',
      // Followed, the key would go along to wherever the redirect points.
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, silence.signal]) : silence.signal,
    })
    const answer = await opened.catch((cause: unknown) => {
      silence.end()
      throw trouble(cause, timeoutMs)
    })
    const { body } = answer
    const isStream = answer.ok && body && /^text\/event-stream\b/.test(answer.headers.get('content-type') ?? '')
    if (isStream) return piecesOf(body, silence, (cause) => trouble(cause, STREAM_SILENT_MS))
    const url = baseUrl + path
    const text = await answer.text().catch(() => '')
    silence.end()
    const value = parsed(text)
    throw errorOfRedirect(answer, value, url) ?? errorOfAnswer(answer, value, url, this.#surroundings.now())
  }

  #remember(path: string, etag: string | null, text: string): void {
    this.#cache.delete(path)
    if (etag === null) return
    this.#cache.set(path, { etag, text })
    const [oldest] = this.#cache.keys()
    if (this.#cache.size > CACHED_PATHS && oldest !== undefined) this.#cache.delete(oldest)
  }
}

/** Aborts a connection on which nothing has come for long. */
class Silence {
  readonly #controller = new AbortController()
  #timer: ReturnType<typeof setTimeout>

  constructor(limitMs: number) {
    this.#timer = setTimeout(() => this.#controller.abort(), limitMs)
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  restart(limitMs: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#controller.abort(), limitMs)
  }

  end(): void {
    clearTimeout(this.#timer)
  }
}

async function* piecesOf(
  body: ReadableStream<Uint8Array>,
  silence: Silence,
  trouble: (cause: unknown) => unknown,
): AsyncGenerator<string, void, void> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  try {
    for (;;) {
      silence.restart(STREAM_SILENT_MS)
      const { done, value } = await reader.read()
      if (done) return
      silence.end()
      yield decoder.decode(value, { stream: true })
    }
  } catch (cause) {
    throw trouble(cause)
  } finally {
    silence.end()
    await reader.cancel().catch(() => {})
  }
}

function conditionOf({ method, path, ifUnchanged }: Request, etag: string | undefined): Record<string, string> {
  if (method === 'GET') return etag === undefined ? {} : { 'if-none-match': etag }
  if (!ifUnchanged) return {}
  if (etag !== undefined) return { 'if-match': etag }
  throw new HypocaustError('not_read', `${path} cannot be written if unchanged: this client has not read it yet`)
}

function whyNoAnswer(cause: unknown, isTimeout: boolean, baseUrl: string, timeoutMs: number): HypocaustError {
  if (isTimeout)
    return new HypocaustError('timeout', `${baseUrl} did not answer within ${timeoutMs / 1000} s`, { cause })
  const inner = (cause as { cause?: { code?: string; message?: string } }).cause
  if (inner?.code === 'ENOTFOUND')
    return new HypocaustError('unknown_host', `Nobody knows the host of ${baseUrl}. Is the address right?`, { cause })
  const why = inner?.code ?? inner?.message ?? (cause as Error).message
  return new HypocaustError('no_connection', `There is no connection to ${baseUrl} (${why})`, { cause })
}
