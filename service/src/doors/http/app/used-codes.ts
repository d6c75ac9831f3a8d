import type { Clock } from '../../../base/clock.ts'
import type { Store } from '../../../store/store.ts'
import { rateLimits } from '../common-limits.ts'
import type { RateLimits } from '../limits.ts'

/** A code counts for its own half minute and those before and after. */
const ACCEPTED_FOR_S = 90

/** A code of an authenticator app is valid once: a code read over a shoulder is already used. */
export class UsedCodes {
  readonly #used: RateLimits

  constructor(store: Store, clock: Clock) {
    this.#used = rateLimits('codes', { read: 0, write: 1 }, store, clock, ACCEPTED_FOR_S)
  }

  async isFirstUse(accountId: string, code: string): Promise<boolean> {
    return !(await this.#used.spend(`${accountId} ${code}`, 'write')).exceeded
  }
}
