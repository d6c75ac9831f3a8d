import { LIMITS } from './service.ts'
import type { World } from './world.ts'

export interface Answer {
  status: number
  etag: string | undefined
  // biome-ignore lint/suspicious/noExplicitAny: a check reads whatever fields it expects
  json: any
}

export interface Asked {
  key: string
  body?: object
  headers?: Record<string, string>
}

type Method = 'GET' | 'PUT' | 'PATCH' | 'DELETE'

const LATENCY_MS = 30
const WINDOW_MS = 60_000

/** Programs that use `/v1`. */
export class Requests {
  readonly #world: World
  /** When each key has asked for what costs one unit. */
  readonly #asked = new Map<string, number[]>()
  readonly revoked = new Map<string, number>()
  answered = 0

  constructor(world: World) {
    this.#world = world
  }

  /** Undefined when no answer comes: the service is away, or ends before it has answered. */
  async ask(method: Method, path: string, asked: Asked): Promise<Answer | undefined> {
    const { scheduler, random, journal } = this.#world
    await scheduler.sleep(random.uniform() * LATENCY_MS)
    const begunMs = scheduler.nowMs
    this.#count(method, asked.key)
    const answer = await this.#inService(method, path, asked)
    journal.note(
      `${method} ${path} ${JSON.stringify(asked.body ?? '')} ${answer?.status} ${JSON.stringify(answer?.json ?? null)}`,
    )
    if (!answer) return undefined
    this.answered++
    const revokedMs = this.revoked.get(asked.key)
    if (revokedMs !== undefined && answer.status < 400 && (begunMs > revokedMs || scheduler.nowMs > revokedMs + 1500))
      journal.violated('a revoked key gets nothing', `${method} ${path} was answered with ${answer.status}`)
    if (answer.status === 500)
      journal.violated('no request ends with 500', `${method} ${path} ${JSON.stringify(answer.json)}`)
    return answer
  }

  /** Work of the service itself, on its store. */
  inService<T>(work: (running: NonNullable<World['service']['running']>) => Promise<T>): Promise<T | undefined> {
    const { scheduler, service, owners, onServiceEnd } = this.#world
    const { running } = service
    if (!running) return Promise.resolve(undefined)
    return new Promise((resolve, reject) => {
      const settle = (end: () => void) => {
        onServiceEnd.delete(away)
        scheduler.in(0, end, owners)
      }
      const away = () => settle(() => resolve(undefined))
      onServiceEnd.add(away)
      const begin = () =>
        void work(running).then(
          (value) => settle(() => resolve(value)),
          (error) => settle(() => reject(error)),
        )
      scheduler.in(0, begin, running.process)
    })
  }

  async #inService(method: Method, path: string, { key, body, headers }: Asked): Promise<Answer | undefined> {
    const answer = await this.inService(({ app }) =>
      app.inject({
        method,
        url: path,
        headers: { 'x-api-key': key, ...(body && { 'content-type': 'application/json' }), ...headers },
        ...(body && { payload: JSON.stringify(body) }),
      }),
    )
    if (!answer) return undefined
    this.#checkBudget(method, key, answer.statusCode, String(answer.headers.ratelimit ?? ''))
    const isJson = answer.body !== '' && /json/.test(String(answer.headers['content-type']))
    return {
      status: answer.statusCode,
      etag: answer.headers.etag === undefined ? undefined : String(answer.headers.etag),
      json: isJson ? answer.json() : undefined,
    }
  }

  #count(method: Method, key: string): void {
    const name = budgetName(method, key)
    this.#asked.set(name, [...(this.#asked.get(name) ?? []), this.#world.scheduler.nowMs])
  }

  /** Writes cost one unit each: a key has what it has not used. */
  #checkBudget(method: Method, key: string, status: number, header: string): void {
    if (method === 'GET') return
    const { journal, scheduler } = this.#world
    const since = scheduler.nowMs - WINDOW_MS - 1000
    const used = (this.#asked.get(budgetName(method, key)) ?? []).filter((atMs) => atMs >= since).length
    const left = /r=(\d+)/.exec(header)?.[1]
    if (left !== undefined && Number(left) < LIMITS.write - used)
      journal.violated('a budget is counted once', `${left} of ${LIMITS.write} are left after ${used} requests`)
    if (status === 429 && used <= LIMITS.write)
      journal.violated('a budget is counted once', `refused after ${used} of ${LIMITS.write} requests`)
  }
}

const budgetName = (method: Method, key: string) => `${key} ${method === 'GET' ? 'read' : 'write'}`
