import type { Clock } from '../clock.ts'

export type Budget = 'read' | 'write'

/** Requests a minute per key; 0 switches a limit off. */
export type Limits = Record<Budget, number>

export const WINDOW_S = 60

interface Window {
  endsAtMs: number
  used: number
}

export interface Spending {
  remaining: number
  resetS: number
  exceeded: boolean
}

/** Separate budgets for reads and writes, so that polling can never block switching the heating. */
export class RateLimits {
  readonly #limits: Limits
  readonly #clock: Clock
  readonly #windows = new Map<string, Window>()
  #sweepAtMs = 0

  constructor(limits: Limits, clock: Clock) {
    this.#limits = limits
    this.#clock = clock
  }

  quota(budget: Budget): number {
    return this.#limits[budget]
  }

  spend(keyId: string, budget: Budget): Spending {
    const window = this.#window(keyId, budget)
    const exceeded = window.used >= this.#limits[budget]
    if (!exceeded) window.used++
    return this.#spending(window, budget, exceeded)
  }

  /** A 304 costs nothing. */
  refund(keyId: string, budget: Budget): Spending {
    const window = this.#window(keyId, budget)
    window.used = Math.max(0, window.used - 1)
    return this.#spending(window, budget, false)
  }

  #spending(window: Window, budget: Budget, exceeded: boolean): Spending {
    return {
      remaining: this.#limits[budget] - window.used,
      resetS: Math.max(1, Math.ceil((window.endsAtMs - this.#clock.now()) / 1000)),
      exceeded,
    }
  }

  #window(keyId: string, budget: Budget): Window {
    const nowMs = this.#clock.now()
    this.#sweep(nowMs)
    const name = `${keyId}/${budget}`
    const running = this.#windows.get(name)
    if (running && running.endsAtMs > nowMs) return running
    const fresh = { endsAtMs: nowMs + WINDOW_S * 1000, used: 0 }
    this.#windows.set(name, fresh)
    return fresh
  }

  /** Keys that have gone quiet leave nothing behind. */
  #sweep(nowMs: number): void {
    if (nowMs < this.#sweepAtMs) return
    for (const [name, window] of this.#windows) if (window.endsAtMs <= nowMs) this.#windows.delete(name)
    this.#sweepAtMs = nowMs + WINDOW_S * 1000
  }
}
