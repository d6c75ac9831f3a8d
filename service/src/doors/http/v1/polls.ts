import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { mayDo } from '@hypocaust/domain'
import type { FastifyInstance } from 'fastify'
import { after, type MaybePromise } from '../../../base/at-once.ts'
import type { Clock } from '../../../base/clock.ts'
import type { Metrics } from '../../../base/metrics.ts'
import type { RoomList, RoomLists } from '../../../house/rooms/room-lists.ts'
import { type AskingKey, authenticate, isUseNews } from '../../../people/keys/keys.ts'
import type { Store } from '../../../store/store.ts'
import { JSON_UTF8 } from '../body.ts'
import { isWorthCompressing } from '../compress.ts'
import { CACHE_CONTROL, isListed } from '../etag.ts'
import { COMMON_HEADERS, hasOneHost, requestIdOf } from '../incoming.ts'
import type { RateLimits } from '../limits.ts'
import { standBefore } from '../listeners.ts'
import type { Shedding } from '../shedding.ts'
import { leftHeader, policyHeader } from './access.ts'
import { CORS_HEADERS } from './cors.ts'

export const POLLED_ROUTE = '/buildings/:buildingId/rooms'
const POLLED = /^\/v1\/buildings\/([\da-f-]{36})\/rooms$/i
/** A request with one of these headers is more than a poll. */
export const UNUSUAL = ['expect', 'content-length', 'transfer-encoding', 'upgrade']

export interface PollParts {
  store: Store
  clock: Clock
  metrics: Metrics
  limits: RateLimits
  lists: RoomLists
  shedding: Shedding
}

export interface Poll {
  /** In lower case. */
  buildingId: string
  headers: IncomingHttpHeaders
}

export interface PollAnswer {
  status: 200 | 304
  /** Names and values in turn. */
  headers: string[]
  text: string
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

  /** Undefined when the ordinary way is to be gone, also where the look-up fails: it meets the same failure. */
  answer(poll: Poll): MaybePromise<PollAnswer | undefined> {
    const { store, clock, lists, shedding } = this.#parts
    const startedMs = performance.now()
    const value = poll.headers['x-api-key']
    if (typeof value !== 'string' || !shedding.mayRead()) return undefined
    try {
      const answered = after(authenticate(store, clock, value, poll.buildingId), (asker) => {
        const building = asker?.building
        const list = building && mayDo(building.membership.role, 'view') && lists.kept(building, building.membership)
        if (!list || isUseNews(asker.key, clock.now())) return undefined
        return this.#answerWith(list, poll, asker.key, startedMs)
      })
      return answered instanceof Promise ? this.#counted(answered) : answered
    } catch {
      return undefined
    }
  }

  async #counted(answered: Promise<PollAnswer | undefined>): Promise<PollAnswer | undefined> {
    const release = this.#parts.shedding.count('read')
    return answered.catch(() => undefined).finally(release)
  }

  /** Undefined when the budget of the key is used up, or the list is to be compressed. */
  #answerWith(
    list: RoomList,
    { headers: asked }: Poll,
    { id }: AskingKey,
    startedMs: number,
  ): MaybePromise<PollAnswer | undefined> {
    const { limits } = this.#parts
    const isKnown = isListed(asked['if-none-match'], list.tag)
    if (!isKnown && isWorthCompressing(list.bytes)) return undefined
    const spending =
      limits.quota('read') === 0 ? undefined : isKnown ? limits.left(id, 'read') : limits.spend(id, 'read')
    return after(spending, (spent) => {
      if (spent?.exceeded) return undefined
      const headers = ['x-request-id', requestIdOf(asked), ...this.#fixed]
      if (spent) headers.push('ratelimit', leftHeader('read', spent))
      headers.push('etag', list.tag, 'cache-control', CACHE_CONTROL)
      if (!isKnown) headers.push('content-type', JSON_UTF8, 'content-length', String(list.bytes))
      const status = isKnown ? 304 : 200
      this.#durations[status].observe((performance.now() - startedMs) / 1000)
      return { status, headers, text: isKnown ? '' : list.text }
    })
  }
}

/** Until the service closes: the ordinary way knows how connections are ended. */
export function answerPollsFirst(app: FastifyInstance, polls: Polls): void {
  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
  })
  standBefore(app.server, (request, response, goOn) => {
    const poll = isClosing ? undefined : pollOf(request)
    if (!poll) return goOn()
    const answered = polls.answer(poll)
    if (answered instanceof Promise) answered.then((answer) => send(response, answer, goOn))
    else send(response, answered, goOn)
  })
}

/** Ids are accepted in any case. */
function pollOf(request: IncomingMessage): Poll | undefined {
  const { method, url = '', headers } = request
  if (method !== 'GET') return undefined
  const buildingId = POLLED.exec(url)?.[1]
  if (buildingId === undefined || !hasOneHost(request) || UNUSUAL.some((name) => name in headers)) return undefined
  return { buildingId: buildingId.toLowerCase(), headers }
}

function send(response: ServerResponse, answer: PollAnswer | undefined, goOn: () => void): void {
  if (answer) response.writeHead(answer.status, answer.headers).end(answer.text)
  else goOn()
}
