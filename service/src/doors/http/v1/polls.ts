import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { mayDo } from '@hypocaust/domain'
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../../base/clock.ts'
import type { Metrics } from '../../../base/metrics.ts'
import type { RoomList, RoomLists } from '../../../house/rooms/room-lists.ts'
import { type Asker, authenticateAll, isKey, isUseNews } from '../../../people/keys/keys.ts'
import type { Store } from '../../../store/store.ts'
import { JSON_UTF8 } from '../body.ts'
import { isWorthCompressing } from '../compress.ts'
import { CACHE_CONTROL, isListed } from '../etag.ts'
import { COMMON_HEADERS, hasOneHost, requestIdOf } from '../incoming.ts'
import type { Costing, RateLimits, Spending } from '../limits.ts'
import { standBefore } from '../listeners.ts'
import type { Shedding } from '../shedding.ts'
import { leftHeader, policyHeader } from './access.ts'
import { CORS_HEADERS } from './cors.ts'

export const POLLED_ROUTE = '/buildings/:buildingId/rooms'
const POLLED = /^\/v1\/buildings\/([\da-f-]{36})\/rooms$/i
/** A request with one of these headers is more than a poll. */
export const UNUSUAL = ['expect', 'content-length', 'transfer-encoding', 'upgrade'] as const

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
  fixed: FixedHeaders
  text: string
  /** Such a text can be sent without encoding it. */
  isAscii: boolean
}

/** Those that are the same in every answer of a status: names and values in turn, and as they are sent. */
interface FixedHeaders {
  headers: string[]
  lines: string
}

export function linesOf(headers: string[]): string {
  let lines = ''
  for (let i = 0; i < headers.length; i += 2) lines += `${headers[i]}: ${headers[i + 1]}\r\n`
  return lines
}

interface WaitingPoll extends Poll {
  value: string
  startedMs: number
  done(answer: PollAnswer | undefined): void
}

/** One that only its budget can refuse. */
interface KnownPoll extends Costing {
  poll: WaitingPoll
  list: RoomList
}

/**
 * The request that comes most, answered before the framework: one look-up, and the list of rooms as it is kept. What is
 * neither a plain 200 nor a 304 goes the ordinary way, which answers the same, and alone words refusals.
 */
export class Polls {
  readonly #parts: PollParts
  #waiting: WaitingPoll[] = []
  readonly #fixed: Record<200 | 304, FixedHeaders>
  readonly #durations: Record<200 | 304, { observe(seconds: number): void }>

  constructor(parts: PollParts) {
    this.#parts = parts
    const { httpDuration } = parts.metrics
    const policy = policyHeader(parts.limits, 'read')
    const common = { ...COMMON_HEADERS, ...CORS_HEADERS, ...policy, 'cache-control': CACHE_CONTROL }
    this.#fixed = { 200: fixedHeaders({ ...common, 'content-type': JSON_UTF8 }), 304: fixedHeaders(common) }
    const duration = (status: number) => httpDuration.labels('GET', `/v1${POLLED_ROUTE}`, String(status))
    this.#durations = { 200: duration(200), 304: duration(304) }
  }

  /**
   * Polls of one turn of the event loop are looked up together once all of them have been read, so the look-up sees
   * whatever was committed before any of them was sent. `done` gets undefined when the ordinary way is to be gone, also
   * where the look-up fails: it meets the same failure.
   */
  answer({ buildingId, headers }: Poll, done: (answer: PollAnswer | undefined) => void): void {
    const value = headers['x-api-key']
    if (typeof value !== 'string' || !isKey(value) || !this.#parts.shedding.mayRead()) {
      done(undefined)
      return
    }
    if (this.#waiting.length === 0) setImmediate(() => void this.#answerWaiting())
    this.#waiting.push({ value, buildingId, headers, startedMs: performance.now(), done })
  }

  async #answerWaiting(): Promise<void> {
    const waiting = this.#waiting
    this.#waiting = []
    const release = this.#parts.shedding.count('read', waiting.length)
    const answers = await this.#answersTo(waiting).catch((): undefined[] => [])
    release()
    for (const [i, { done }] of waiting.entries()) done(answers[i])
  }

  async #answersTo(polls: WaitingPoll[]): Promise<(PollAnswer | undefined)[]> {
    const { store, clock, limits } = this.#parts
    const askers = await authenticateAll(store, clock, polls)
    const known = polls.map((poll, i) => this.#known(poll, askers[i]))
    const counted = known.filter((each) => each !== undefined)
    const spent = limits.quota('read') === 0 ? [] : await limits.spendEach(counted, 'read')
    const nowMs = performance.now()
    let next = 0
    return known.map((each) => each && this.#answerTo(each, spent[next++], nowMs))
  }

  /** Undefined for what is refused, when the list has changed or is to be compressed, or when the use is to be noted. */
  #known(poll: WaitingPoll, asker: Asker | undefined): KnownPoll | undefined {
    const { lists, clock } = this.#parts
    const building = asker?.building
    const list = building && mayDo(building.membership.role, 'view') && lists.kept(building, building.membership)
    if (!list || isUseNews(asker.key, clock.now())) return undefined
    const isFree = isListed(poll.headers['if-none-match'], list.tag)
    if (!isFree && isWorthCompressing(list.bytes)) return undefined
    return { poll, list, key: asker.key.id, isFree, window: asker.readWindow }
  }

  /** Undefined when the budget of the key is used up. */
  #answerTo({ poll, list, isFree }: KnownPoll, spent: Spending | undefined, nowMs: number): PollAnswer | undefined {
    if (spent?.exceeded) return undefined
    const headers = ['x-request-id', requestIdOf(poll.headers), 'etag', list.tag]
    if (spent) headers.push('ratelimit', leftHeader('read', spent))
    if (!isFree) headers.push('content-length', String(list.bytes))
    const status = isFree ? 304 : 200
    this.#durations[status].observe((nowMs - poll.startedMs) / 1000)
    const text = isFree ? '' : list.text
    return { status, headers, fixed: this.#fixed[status], text, isAscii: isFree || list.bytes === text.length }
  }
}

function fixedHeaders(all: Record<string, string>): FixedHeaders {
  const headers = Object.entries(all).flat()
  return { headers, lines: linesOf(headers) }
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
    polls.answer(poll, (answer) => send(response, answer, goOn))
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
  if (answer) response.writeHead(answer.status, [...answer.headers, ...answer.fixed.headers]).end(answer.text)
  else goOn()
}
