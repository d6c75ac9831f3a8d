import { hash } from 'node:crypto'
import type { Clock } from '../../base/clock.ts'
import type { RateWindows, RunningWindow } from '../../store/rate-windows.ts'
import type { Store } from '../../store/store.ts'
import {
  type Budget,
  type Costing,
  type Limits,
  OwnLimits,
  type RateLimits,
  type Spending,
  spendingOf,
  WINDOW_S,
} from './limits.ts'

/** One count for all processes where the database has room for it, else one for this process. */
export const rateLimits = (
  name: string,
  limits: Limits,
  { rateWindows }: Store,
  clock: Clock,
  windowS: number = WINDOW_S,
): RateLimits =>
  rateWindows ? new SharedLimits(name, limits, rateWindows, clock, windowS) : new OwnLimits(limits, clock, windowS)

/** Windows in the database, one for all processes. */
class SharedLimits implements RateLimits {
  readonly #name: string
  readonly #limits: Limits
  readonly #windows: RateWindows
  readonly #clock: Clock
  readonly #windowMs: number

  constructor(name: string, limits: Limits, windows: RateWindows, clock: Clock, windowS: number) {
    this.#name = name
    this.#limits = limits
    this.#windows = windows
    this.#clock = clock
    this.#windowMs = windowS * 1000
  }

  quota(budget: Budget): number {
    return this.#limits[budget]
  }

  async spend(key: string, budget: Budget): Promise<Spending> {
    const nowMs = this.#clock.now()
    const limit = this.#limits[budget]
    const window = await this.#windows.spend(this.#windowName(key, budget), limit, this.#windowMs, nowMs)
    return spendingOf(window, limit, nowMs, window.exceeded)
  }

  async left(key: string, budget: Budget): Promise<Spending> {
    const nowMs = this.#clock.now()
    return this.#running(await this.#windows.look(this.#windowName(key, budget), nowMs), budget, nowMs)
  }

  takeEach(requests: Costing[], budget: Budget): Promise<Spending[]> {
    return Promise.all(requests.map(({ key, isFree }) => (isFree ? this.left(key, budget) : this.spend(key, budget))))
  }

  async refund(key: string, budget: Budget): Promise<Spending> {
    const nowMs = this.#clock.now()
    return this.#running(await this.#windows.refund(this.#windowName(key, budget), nowMs), budget, nowMs)
  }

  #running(window: RunningWindow | undefined, budget: Budget, nowMs: number): Spending {
    return spendingOf(window ?? { used: 0, endsAtMs: nowMs + this.#windowMs }, this.#limits[budget], nowMs, false)
  }

  /** Of one length whatever it is made of, and no list of addresses. */
  #windowName(key: string, budget: Budget): string {
    return hash('sha256', `${this.#name}/${key}/${budget}`, 'base64url')
  }
}
