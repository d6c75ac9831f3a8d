import { hash } from 'node:crypto'
import type { Clock } from '../../base/clock.ts'
import { keyWindow, type RateWindows, type RunningWindow } from '../../store/rate-windows.ts'
import type { Store } from '../../store/store.ts'
import { type Budget, type Limits, OwnLimits, type RateLimits, type Spending, spendingOf, WINDOW_S } from './limits.ts'

/** One count for all processes where the database has room for it, else one for this process. */
export const rateLimits = (
  name: string,
  limits: Limits,
  { rateWindows }: Store,
  clock: Clock,
  windowS: number = WINDOW_S,
): RateLimits =>
  rateWindows
    ? new SharedLimits(hashedName(name), limits, rateWindows, clock, windowS)
    : new OwnLimits(limits, clock, windowS)

/** Those of API keys: the look-up of a key reads its window too. */
export const keyLimits = (limits: Limits, { rateWindows }: Store, clock: Clock): RateLimits =>
  rateWindows ? new SharedLimits(keyWindow, limits, rateWindows, clock, WINDOW_S) : new OwnLimits(limits, clock)

type WindowName = (key: string, budget: Budget) => string

/** Of one length whatever it is made of, and no list of addresses. */
const hashedName =
  (name: string): WindowName =>
  (key, budget) =>
    hash('sha256', `${name}/${key}/${budget}`, 'base64url')

/** Windows in the database, one for all processes. */
class SharedLimits implements RateLimits {
  readonly #nameOf: WindowName
  readonly #limits: Limits
  readonly #windows: RateWindows
  readonly #clock: Clock
  readonly #windowMs: number

  constructor(nameOf: WindowName, limits: Limits, windows: RateWindows, clock: Clock, windowS: number) {
    this.#nameOf = nameOf
    this.#limits = limits
    this.#windows = windows
    this.#clock = clock
    this.#windowMs = windowS * 1000
  }

  quota(budget: Budget): number {
    return this.#limits[budget]
  }

  async spend(key: string, budget: Budget, units = 1): Promise<Spending> {
    const nowMs = this.#clock.now()
    const limit = this.#limits[budget]
    const window = await this.#windows.spend(this.#nameOf(key, budget), limit, this.#windowMs, nowMs, units)
    return spendingOf(window, limit, nowMs, window.exceeded)
  }

  left(_key: string, budget: Budget, running: RunningWindow | undefined): Spending {
    return this.#running(running, budget, this.#clock.now())
  }

  async refund(key: string, budget: Budget): Promise<Spending> {
    const nowMs = this.#clock.now()
    return this.#running(await this.#windows.refund(this.#nameOf(key, budget), nowMs), budget, nowMs)
  }

  #running(window: RunningWindow | undefined, budget: Budget, nowMs: number): Spending {
    return spendingOf(window ?? { used: 0, endsAtMs: nowMs + this.#windowMs }, this.#limits[budget], nowMs, false)
  }
}
