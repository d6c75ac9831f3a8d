import type { FastifyRequest } from 'fastify'
import type { Clock } from '../../../base/clock.ts'
import { errors, ServiceError } from '../../../base/errors.ts'
import type { Store } from '../../../store/store.ts'
import { rateLimits } from '../common-limits.ts'
import type { RateLimits } from '../limits.ts'

/** Failed attempts a minute: by one address on one account, and by one address or on one account in all. */
const FAILURES_PAIR = 5
const FAILURES_EACH = 30

/** Guessing is slow, from one place and from many; whoever gets it right is not counted. */
export class Throttle {
  readonly #pairs: RateLimits
  readonly #each: RateLimits

  constructor(store: Store, clock: Clock) {
    this.#pairs = rateLimits('guesses by pair', { read: 0, write: FAILURES_PAIR }, store, clock)
    this.#each = rateLimits('guesses by each', { read: 0, write: FAILURES_EACH }, store, clock)
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
      const { exceeded, resetS } = await limits.spend(key, 'write')
      if (exceeded) throw errors.rateLimited(resetS)
    }
    const giveBack = () => Promise.all(budgets.map(([limits, key]) => limits.refund(key, 'write')))
    try {
      const result = await attempt()
      await giveBack()
      return result
    } catch (error) {
      if (!(error instanceof ServiceError)) await giveBack().catch(() => undefined)
      throw error
    }
  }
}
