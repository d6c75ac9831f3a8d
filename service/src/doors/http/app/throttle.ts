import type { FastifyRequest } from 'fastify'
import type { Clock } from '../../../base/clock.ts'
import { errors, ServiceError } from '../../../base/errors.ts'
import { networkOf } from '../../../base/network.ts'
import type { Store } from '../../../store/store.ts'
import { rateLimits } from '../common-limits.ts'
import type { RateLimits } from '../limits.ts'

/** Failed attempts a minute: by one address on one account (or naming none), by one address in all, and on one account in all. */
const FAILURES_PAIR = 5
const FAILURES_EACH = 30
/** What one address may begin in a minute without naming an account. */
const BEGUN_BY_ADDRESS = 30

/** Whether the browser has signed in to this account before; see `KnownDevices`. */
type IsKnown = (request: FastifyRequest, account: string) => boolean

/** Guessing is slow, from one place and from many; a right password is not counted. */
export class Throttle {
  readonly #pairs: RateLimits
  readonly #addresses: RateLimits
  readonly #accounts: RateLimits
  readonly #begun: RateLimits
  readonly #isKnown: IsKnown

  constructor(store: Store, clock: Clock, isKnown: IsKnown = () => false) {
    this.#pairs = rateLimits('guesses by pair', { read: 0, write: FAILURES_PAIR }, store, clock)
    this.#addresses = rateLimits('guesses by address', { read: 0, write: FAILURES_EACH }, store, clock)
    this.#accounts = rateLimits('guesses on account', { read: 0, write: FAILURES_EACH }, store, clock)
    this.#begun = rateLimits('begun by address', { read: 0, write: BEGUN_BY_ADDRESS }, store, clock)
    this.#isKnown = isKnown
  }

  /** For what anybody may begin and the service has to remember. */
  async count(request: FastifyRequest): Promise<void> {
    const { exceeded, resetS } = await this.#begun.spend(networkOf(request.ip), 'write')
    if (exceeded) throw errors.rateLimited(resetS)
  }

  /** `account` is null where the attempt names none. */
  async guard<T>(request: FastifyRequest, account: string | null, attempt: () => Promise<T>): Promise<T> {
    const budgets = this.#budgetsOf(request, account?.toLowerCase())
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

  /** A device of the owner is not locked out by strangers who guess: it has its own few attempts, and no others count. */
  #budgetsOf(request: FastifyRequest, who: string | undefined): [RateLimits, string][] {
    const network = networkOf(request.ip)
    if (who !== undefined && this.#isKnown(request, who)) return [[this.#pairs, `known ${network} ${who}`]]
    const budgets: [RateLimits, string][] = [
      [this.#pairs, `${network} ${who ?? ''}`],
      [this.#addresses, network],
    ]
    return who === undefined ? budgets : [...budgets, [this.#accounts, who]]
  }
}
