import type { FastifyRequest } from 'fastify'
import type { Clock } from '../../clock.ts'
import { errors, ServiceError } from '../../errors.ts'
import { RateLimits } from '../limits.ts'

/** Failed attempts a minute: by one address on one account, and by one address or on one account in all. */
const FAILURES_PAIR = 5
const FAILURES_EACH = 30

/** Guessing is slow, from one place and from many; whoever gets it right is not counted. */
export class Throttle {
  readonly #pairs: RateLimits
  readonly #each: RateLimits

  constructor(clock: Clock) {
    this.#pairs = new RateLimits({ read: 0, write: FAILURES_PAIR }, clock)
    this.#each = new RateLimits({ read: 0, write: FAILURES_EACH }, clock)
  }

  /** `account` is null where the attempt names none. */
  async guard<T>(request: FastifyRequest, account: string | null, attempt: () => Promise<T>): Promise<T> {
    const who = account?.toLowerCase()
    const budgets: [RateLimits, string][] = [
      [this.#pairs, `${request.ip} ${who}`],
      [this.#each, request.ip],
      ...(who === undefined ? [] : [[this.#each, who] satisfies [RateLimits, string]]),
    ]
    for (const [limits, key] of budgets) {
      const { exceeded, resetS } = limits.spend(key, 'write')
      if (exceeded) throw errors.rateLimited(resetS)
    }
    try {
      const result = await attempt()
      for (const [limits, key] of budgets) limits.refund(key, 'write')
      return result
    } catch (error) {
      if (!(error instanceof ServiceError)) for (const [limits, key] of budgets) limits.refund(key, 'write')
      throw error
    }
  }
}
