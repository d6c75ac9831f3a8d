import { MINUTE_MS } from '@hypocaust/domain'
import type { Clock } from './clock.ts'

const MOST_NAMES = 10_000

/** Whether a name comes up for the first time in a minute: a noisy gateway must not drown the log. */
export class OncePerMinute {
  readonly #clock: Pick<Clock, 'elapsedMs'>
  readonly #last = new Map<string, number>()

  constructor(clock: Pick<Clock, 'elapsedMs'>) {
    this.#clock = clock
  }

  isFirst(name: string): boolean {
    const atMs = this.#clock.elapsedMs()
    const last = this.#last.get(name)
    if (last !== undefined && atMs - last < MINUTE_MS) return false
    if (this.#last.size >= MOST_NAMES) this.#last.clear()
    this.#last.set(name, atMs)
    return true
  }
}
