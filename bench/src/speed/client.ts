import { Agent, type IncomingMessage, type RequestOptions, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliDecompressSync } from 'node:zlib'

/** The key or the cookie of the caller. */
export type Credentials = { 'x-api-key': string } | { cookie: string }

const COMPRESSED = { 'accept-encoding': 'br' }
/** A busy service refuses some requests of the moment in which all houses come at once. */
const RETRY_MS = 2000

/** Keeps its connections, and the tag of each answer, as browsers and our own clients do. */
export class Client {
  readonly #url: URL
  readonly #agent = new Agent({ keepAlive: true })
  readonly #kept = new Map<string, { tag: string; body: string }>()
  #isClosed = false
  answered = 0

  constructor(url: string) {
    this.#url = new URL(url)
  }

  async get(credentials: Credentials, path: string): Promise<{ status: number; body: string }> {
    const address = `${Object.values(credentials)} ${path}`
    const kept = this.#kept.get(address)
    const headers = { ...credentials, ...COMPRESSED, ...(kept && { 'if-none-match': kept.tag }) }
    const { status, tag, body } = await this.#ask({ path, headers, agent: this.#agent })
    if (status === 503) {
      await sleep(RETRY_MS)
      return this.get(credentials, path)
    }
    if (status !== 200 && status !== 304) throw new Error(`${path}: ${status} ${body}`)
    this.answered++
    if (status === 200 && tag) this.#kept.set(address, { tag, body })
    return { status, body: status === 304 ? (kept?.body ?? body) : body }
  }

  /** An answer without an end, as a stream of events is; it ends with the signal. */
  open(credentials: Credentials, path: string, signal: AbortSignal): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const { hostname, port } = this.#url
      const asked = request({ hostname, port, path, headers: credentials, agent: false, signal }, (answer) => {
        const { statusCode: status } = answer
        if (status === 200) return resolve(answer.setEncoding('utf8'))
        answer.resume()
        if (status === 503) resolve(sleep(RETRY_MS).then(() => this.open(credentials, path, signal)))
        else reject(new Error(`${path}: ${status}`))
      })
      asked.on('error', reject).end()
    })
  }

  #ask(options: RequestOptions): Promise<{ status: number; tag: string; body: string }> {
    const { hostname, port } = this.#url
    return new Promise((resolve, reject) => {
      const asked = request({ ...options, hostname, port }, async (answer) => {
        const { statusCode: status = 0, headers } = answer
        const bytes = await buffer(answer).catch(reject)
        if (!bytes) return
        const body = headers['content-encoding'] === 'br' ? brotliDecompressSync(bytes) : bytes
        resolve({ status, tag: headers.etag ?? '', body: body.toString() })
      })
      const failed = (error: NodeJS.ErrnoException) => {
        // The service may close an idle connection in the moment in which it is used again.
        if (error.code === 'ECONNRESET' && asked.reusedSocket && !this.#isClosed) resolve(this.#ask(options))
        else reject(error)
      }
      asked.on('error', failed).end()
    })
  }

  close(): void {
    this.#isClosed = true
    this.#agent.destroy()
  }
}
