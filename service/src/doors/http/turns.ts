import type { FastifyReply } from 'fastify'
import { type Clock, systemClock } from '../../base/clock.ts'
import { errors } from '../../base/errors.ts'
import type { Shedding } from './shedding.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The request stays open while nothing happens: it is no load, and takes its turn when it has something to do. */
    waits?: boolean
  }
}

/** Requests of one caller that are worked on at a time. */
export const MOST_UNDER_WAY = 4
/** Requests of one caller that wait for their turn: more than the budget of a minute allows. */
const MOST_WAITING = 1000
/** Most programs give up after ten seconds: what comes behind a request that has waited so long is refused at once. */
export const LONGEST_WAIT_MS = 10_000

/** Requests of one caller that wait for something to happen. */
export const MOST_WAITS = 50
const WAIT_AGAIN_S = 5

interface Caller {
  underWay: number
  waiting: { sinceMs: number; begin(): void }[]
}

/**
 * Requests of one caller are worked on a few at a time, and the others wait in their order: so a burst of one key
 * takes its share of the process, and not the process.
 */
export class Turns {
  readonly #shedding: Shedding
  readonly #clock: Clock
  readonly #callers = new Map<string, Caller>()

  constructor(shedding: Shedding, clock: Clock = systemClock) {
    this.#shedding = shedding
    this.#clock = clock
  }

  /** Until it is the request's turn, which lasts until its answer has left. */
  async take(callerId: string, reply: FastifyReply): Promise<void> {
    await this.#begin(callerId, reply)
    const end = () => this.#end(callerId)
    if (reply.raw.destroyed) end()
    else reply.raw.once('close', end)
  }

  /** For a request that stays open, and has something to do now and then: its turn lasts as long as the work. */
  async during<T>(callerId: string, reply: FastifyReply, work: () => Promise<T>): Promise<T> {
    await this.#begin(callerId, reply)
    try {
      return await work()
    } finally {
      this.#end(callerId)
    }
  }

  async #begin(callerId: string, reply: FastifyReply): Promise<void> {
    const caller = this.#callers.get(callerId) ?? { underWay: 0, waiting: [] }
    this.#callers.set(callerId, caller)
    if (caller.underWay < MOST_UNDER_WAY) {
      caller.underWay++
      return
    }
    const nowMs = this.#clock.elapsedMs()
    const [first] = caller.waiting
    const isTooLong = first !== undefined && nowMs - first.sinceMs > LONGEST_WAIT_MS
    if (isTooLong || caller.waiting.length >= MOST_WAITING) throw errors.overloaded()
    const { promise, resolve } = Promise.withResolvers<void>()
    caller.waiting.push({ sinceMs: nowMs, begin: resolve })
    await this.#shedding.withoutCounting(reply, promise)
  }

  /** The turn is handed on, or free again. */
  #end(callerId: string): void {
    const caller = this.#callers.get(callerId)
    if (!caller) return
    const next = caller.waiting.shift()
    if (next) next.begin()
    else if (--caller.underWay === 0) this.#callers.delete(callerId)
  }
}

/** Requests that wait for news cost nothing until there is some, and then all at once. */
export class Waits {
  readonly #byCaller = new Map<string, number>()

  /** Until the answer has left; refuses one too many. */
  begin(callerId: string, reply: FastifyReply): void {
    const others = this.#byCaller.get(callerId) ?? 0
    if (others >= MOST_WAITS) throw errors.rateLimited(WAIT_AGAIN_S)
    this.#byCaller.set(callerId, others + 1)
    reply.raw.once('close', () => {
      const left = (this.#byCaller.get(callerId) ?? 1) - 1
      if (left > 0) this.#byCaller.set(callerId, left)
      else this.#byCaller.delete(callerId)
    })
  }
}
