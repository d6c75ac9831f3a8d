import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { mayDo } from '@hypocaust/domain'
import type { FastifyInstance } from 'fastify'
import { after, type MaybePromise } from '../../../base/at-once.ts'
import type { Clock } from '../../../base/clock.ts'
import type { Metrics } from '../../../base/metrics.ts'
import type { RoomList, RoomLists } from '../../../house/rooms/room-lists.ts'
import { type ApiKey, authenticate, isUseNews } from '../../../people/keys/keys.ts'
import type { Store } from '../../../store/store.ts'
import { JSON_UTF8 } from '../body.ts'
import { isWorthCompressing } from '../compress.ts'
import { CACHE_CONTROL, isListed } from '../etag.ts'
import { COMMON_HEADERS, hasOneHost, requestIdOf } from '../incoming.ts'
import type { RateLimits, Spending } from '../limits.ts'
import type { Shedding } from '../shedding.ts'
import { leftHeader, policyHeader } from './access.ts'
import { CORS_HEADERS } from './cors.ts'

export const POLLED_ROUTE = '/buildings/:buildingId/rooms'
const POLLED = /^\/v1\/buildings\/([\da-f-]{36})\/rooms$/i
/** A request with one of these headers is more than a poll. */
const UNUSUAL = ['expect', 'content-length', 'transfer-encoding', 'upgrade']

export interface PollParts {
  store: Store
  clock: Clock
  metrics: Metrics
  limits: RateLimits
  lists: RoomLists
  shedding: Shedding
}

/**
 * The request that comes most, answered before the framework: one look-up, and the list of rooms as it is kept. What is
 * neither a plain 200 nor a 304 goes the ordinary way, which answers the same, and alone words refusals.
 */
export class Polls {
  readonly #parts: PollParts
  readonly #fixed: string[]
  readonly #durations: Record<200 | 304, { observe(seconds: number): void }>

  constructor(parts: PollParts) {
    this.#parts = parts
    const { httpDuration } = parts.metrics
    this.#fixed = Object.entries({ ...COMMON_HEADERS, ...CORS_HEADERS, ...policyHeader(parts.limits, 'read') }).flat()
    const duration = (status: number) => httpDuration.labels('GET', `/v1${POLLED_ROUTE}`, String(status))
    this.#durations = { 200: duration(200), 304: duration(304) }
  }

  /** False when the ordinary way is to be gone. */
  answer(request: IncomingMessage, response: ServerResponse): MaybePromise<boolean> {
    const { store, clock, lists, shedding } = this.#parts
    const startedMs = performance.now()
    const buildingId = this.#polledBuilding(request)
    const value = request.headers['x-api-key']
    if (buildingId === undefined || typeof value !== 'string' || !shedding.mayRead()) return false
    const answered = after(authenticate(store, clock, value, buildingId), (asker) => {
      const building = asker?.building
      const list = building && mayDo(building.membership.role, 'view') && lists.kept(building, building.membership)
      if (!list || isUseNews(asker.key, clock.now())) return false
      return this.#send(request, response, asker.key, list, startedMs)
    })
    if (answered instanceof Promise) return this.#counted(answered, response)
    return answered
  }

  async #counted(answered: Promise<boolean>, response: ServerResponse): Promise<boolean> {
    const release = this.#parts.shedding.count('read', response)
    const isAnswered = await answered.catch(() => false)
    if (!isAnswered) release()
    return isAnswered
  }

  /** Ids are accepted in any case. */
  #polledBuilding(request: IncomingMessage): string | undefined {
    const { method, url = '', headers } = request
    if (method !== 'GET') return undefined
    const buildingId = POLLED.exec(url)?.[1]
    if (buildingId === undefined || !hasOneHost(request) || UNUSUAL.some((name) => name in headers)) return undefined
    return buildingId.toLowerCase()
  }

  /** False when the budget of the key is used up, or the list is to be compressed. */
  #send(
    request: IncomingMessage,
    response: ServerResponse,
    { id }: ApiKey,
    list: RoomList,
    startedMs: number,
  ): MaybePromise<boolean> {
    const { limits } = this.#parts
    const isKnown = isListed(request.headers['if-none-match'], list.tag)
    if (!isKnown && isWorthCompressing(list.bytes)) return false
    const spending =
      limits.quota('read') === 0 ? undefined : isKnown ? limits.left(id, 'read') : limits.spend(id, 'read')
    return after(spending, (spent) => {
      if (spent?.exceeded) return false
      const headers = ['x-request-id', requestIdOf(request), ...this.#fixed, ...leftIn(spent)]
      headers.push('etag', list.tag, 'cache-control', CACHE_CONTROL)
      if (isKnown) response.writeHead(304, headers).end()
      else {
        headers.push('content-type', JSON_UTF8, 'content-length', String(list.bytes))
        response.writeHead(200, headers).end(list.text)
      }
      this.#durations[isKnown ? 304 : 200].observe((performance.now() - startedMs) / 1000)
      return true
    })
  }
}

const leftIn = (spending: Spending | undefined): string[] =>
  spending ? ['ratelimit', leftHeader('read', spending)] : []

/** Until the service closes: the ordinary way knows how connections are ended. */
export function answerPollsFirst(app: FastifyInstance, polls: Polls): void {
  const { server } = app
  const [handle] = server.listeners('request') as RequestListener[]
  if (!handle) throw new Error('the server has no listener for requests yet')
  server.removeListener('request', handle)
  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
  })
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const goOn = (isAnswered: boolean) => {
      if (!isAnswered) handle.call(server, request, response)
    }
    const answered = !isClosing && attempt(() => polls.answer(request, response))
    if (answered instanceof Promise) answered.then(goOn)
    else goOn(answered)
  })
}

/** The ordinary way meets the same failure, and answers for it. */
function attempt(work: () => MaybePromise<boolean>): MaybePromise<boolean> {
  try {
    return work()
  } catch {
    return false
  }
}
