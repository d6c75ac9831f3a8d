import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Metrics } from '../../../base/metrics.ts'
import { isKey } from '../../../people/keys/keys.ts'
import { LOOK_UP_PATIENCE_MS } from '../../../store/store.ts'
import { JSON_UTF8 } from '../body.ts'
import { CACHE_CONTROL } from '../etag.ts'
import { hasOneHost, requestIdOf } from '../incoming.ts'
import type { Spending } from '../limits.ts'
import { standBefore } from '../listeners.ts'
import type { Shedding } from '../shedding.ts'
import { leftHeader } from './access.ts'
import { type Answer, type FixedHeaders, fixedHeaders } from './answer.ts'
import { ExpectedPolls } from './expected-polls.ts'
import {
  FoundPolls,
  type KeyedPoll,
  type KnownPoll,
  type KnownPollParts,
  type KnownPolls,
  type Poll,
} from './known-polls.ts'
import { MORE_THAN_A_POLL } from './request-bytes.ts'

export const POLLED_ROUTE = '/buildings/:buildingId/rooms'
const POLLED = /^\/v1\/buildings\/([\da-f-]{36})\/rooms$/i

export interface PollParts extends KnownPollParts {
  metrics: Metrics
  shedding: Shedding
}

interface WaitingPoll extends KeyedPoll {
  startedMs: number
  done(answer: Answer | undefined): void
}

/**
 * The request that comes most, answered before the framework: one look-up, and the list of rooms as it is kept. What is
 * neither a plain 200 nor a 304 goes the ordinary way, which answers the same, and alone words refusals.
 */
export class Polls {
  readonly #parts: PollParts
  readonly #knownPolls: KnownPolls
  #waiting: WaitingPoll[] = []
  /** Look-ups that have not come back. */
  #underWay = 0
  #held: NodeJS.Timeout | undefined
  readonly #fixed: Record<200 | 304, FixedHeaders>
  readonly #durations: Record<200 | 304, { observe(seconds: number): void }>

  constructor(parts: PollParts) {
    this.#parts = parts
    this.#knownPolls = parts.store.isShared ? new ExpectedPolls(parts) : new FoundPolls(parts)
    const { httpDuration } = parts.metrics
    const tagged = { 'cache-control': CACHE_CONTROL }
    this.#fixed = {
      200: fixedHeaders(parts.limits, 'read', { ...tagged, 'content-type': JSON_UTF8 }),
      304: fixedHeaders(parts.limits, 'read', tagged),
    }
    const duration = (status: number) => httpDuration.labels('GET', `/v1${POLLED_ROUTE}`, String(status))
    this.#durations = { 200: duration(200), 304: duration(304) }
  }

  /**
   * Polls of one turn of the event loop are looked up together once all of them have been read, so the look-up sees
   * whatever was committed before any of them was sent. Those that come while it is under way wait for it, unless it
   * takes long, and then share the next one: answered one by one, they would come one by one. `done` gets undefined when
   * the ordinary way is to be gone, also where the look-up fails: it meets the same failure.
   */
  answer({ buildingId, headers }: Poll, done: (answer: Answer | undefined) => void): void {
    const value = headers['x-api-key']
    if (typeof value !== 'string' || !isKey(value) || !this.#parts.shedding.mayRead()) {
      done(undefined)
      return
    }
    this.#waiting.push({ value, buildingId, headers, startedMs: performance.now(), done })
    if (this.#waiting.length > 1) return
    if (this.#underWay === 0) setImmediate(() => void this.#answerWaiting())
    else this.#held = setTimeout(() => void this.#answerWaiting(), LOOK_UP_PATIENCE_MS)
  }

  async #answerWaiting(): Promise<void> {
    const waiting = this.#waiting
    if (waiting.length === 0) return
    clearTimeout(this.#held)
    this.#waiting = []
    this.#underWay++
    const release = this.#parts.shedding.count('read', waiting.length)
    const answers = await this.#answersTo(waiting).catch((): undefined[] => [])
    release()
    this.#underWay--
    if (this.#underWay === 0 && this.#waiting.length > 0) setImmediate(() => void this.#answerWaiting())
    for (const [i, { done }] of waiting.entries()) done(answers[i])
  }

  async #answersTo(polls: WaitingPoll[]): Promise<(Answer | undefined)[]> {
    const { limits } = this.#parts
    const known = await this.#knownPolls.of(polls)
    const counted = known.filter((each) => each !== undefined)
    const spent = limits.quota('read') === 0 ? [] : await limits.spendEach(counted, 'read')
    const nowMs = performance.now()
    let next = 0
    return known.map((each, i) => each && this.#answerTo(polls[i] as WaitingPoll, each, spent[next++], nowMs))
  }

  /** Undefined when the budget of the key is used up. */
  #answerTo(
    poll: WaitingPoll,
    { list, isFree }: KnownPoll,
    spent: Spending | undefined,
    nowMs: number,
  ): Answer | undefined {
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
  if (buildingId === undefined || !hasOneHost(request) || MORE_THAN_A_POLL.some((name) => name in headers))
    return undefined
  return { buildingId: buildingId.toLowerCase(), headers }
}

function send(response: ServerResponse, answer: Answer | undefined, goOn: () => void): void {
  if (answer) response.writeHead(answer.status, [...answer.headers, ...answer.fixed.headers]).end(answer.text)
  else goOn()
}
