import type { Clock } from '../../base/clock.ts'

export type Budget = 'read' | 'write'

/** Requests a minute per key, unless another window is named; 0 switches a limit off. */
export type Limits = Record<Budget, number>

export const WINDOW_S = 60

export interface Spending {
  remaining: number
  resetS: number
  exceeded: boolean
}

/** Separate budgets for reads and writes, so that polling can never block switching the heating. */
export interface RateLimits {
  quota(budget: Budget): number
  /**
   * Without a promise where the windows are this process's own. A request of several units is served while one is
   * left.
   */
  spend(key: string, budget: Budget, units?: number): Spending | Promise<Spending>
  /** What is left, for an answer that costs nothing; `running` is the key's window where processes share it. */
  left(key: string, budget: Budget, running: Window | undefined): Spending
  /** For what was taken before the answer turned out to be a 304. */
  refund(key: string, budget: Budget): Spending | Promise<Spending>
}

export const NO_LIMITS: RateLimits = {
  quota: () => 0,
  spend: async () => ({ remaining: 0, resetS: WINDOW_S, exceeded: false }),
  left: () => ({ remaining: 0, resetS: WINDOW_S, exceeded: false }),
  refund: async () => ({ remaining: 0, resetS: WINDOW_S, exceeded: false }),
}

interface Window {
  endsAtMs: number
  used: number
}

/** Windows in this process alone, on the clock that nobody sets. */
export class OwnLimits implements RateLimits {
  readonly #limits: Limits
  readonly #clock: Clock
  readonly #windowMs: number
  readonly #windows: Record<Budget, Map<string, Window>> = { read: new Map(), write: new Map() }
  #sweepAtMs = 0

  constructor(limits: Limits, clock: Clock, windowS = WINDOW_S) {
    this.#limits = limits
    this.#clock = clock
    this.#windowMs = windowS * 1000
  }

  quota(budget: Budget): number {
    return this.#limits[budget]
  }

  spend(key: string, budget: Budget, units = 1): Spending {
    const window = this.#window(key, budget)
    const exceeded = window.used >= this.#limits[budget]
    if (!exceeded) window.used += units
    return this.#spending(window, budget, exceeded)
  }

  left(key: string, budget: Budget): Spending {
    return this.#spending(this.#window(key, budget), budget, false)
  }

  refund(key: string, budget: Budget): Spending {
    const window = this.#window(key, budget)
    window.used = Math.max(0, window.used - 1)
    return this.#spending(window, budget, false)
  }

  #spending(window: Window, budget: Budget, exceeded: boolean): Spending {
    return spendingOf(window, this.#limits[budget], this.#clock.elapsedMs(), exceeded)
  }

  #window(key: string, budget: Budget): Window {
    const nowMs = this.#clock.elapsedMs()
    this.#sweep(nowMs)
    const windows = this.#windows[budget]
    const running = windows.get(key)
    if (running && running.endsAtMs > nowMs) return running
    const fresh = { endsAtMs: nowMs + this.#windowMs, used: 0 }
    windows.set(key, fresh)
    return fresh
  }

  /** Keys that have gone quiet leave nothing behind. */
  #sweep(nowMs: number): void {
    if (nowMs < this.#sweepAtMs) return
    for (const windows of Object.values(this.#windows))
      for (const [key, window] of windows) if (window.endsAtMs <= nowMs) windows.delete(key)
    this.#sweepAtMs = nowMs + WINDOW_S * 1000
  }
}

export const spendingOf = ({ endsAtMs, used }: Window, limit: number, nowMs: number, exceeded: boolean): Spending => ({
  remaining: Math.max(0, limit - used),
  resetS: Math.max(1, Math.ceil((endsAtMs - nowMs) / 1000)),
  exceeded,
})
