import { setTimeout as sleep } from 'node:timers/promises'

const SLOWEST_RETRY_MS = 60_000
const FASTEST_RETRY_MS = 1_000
const GOODBYE_MS = 2_000

interface PollerParts {
  everyMs: number
  /** Whether something was ordered that the device does not have yet. */
  hasOrders(): boolean
  /** Writes what was ordered, then reads; it throws where the device cannot be reached. */
  round(signal: AbortSignal): Promise<void>
  onFailure(error: unknown): void
}

/** Asks a device every so often, at once when something was ordered, and ever less often while it cannot be reached. */
export class Poller {
  readonly #parts: PollerParts
  readonly #stopping = new AbortController()
  #waking = new AbortController()
  #loop: Promise<void> = Promise.resolve()

  constructor(parts: PollerParts) {
    this.#parts = parts
  }

  start(): void {
    this.#loop = this.#run()
  }

  /** Something was ordered. */
  wake(): void {
    this.#waking.abort()
  }

  /** After a last round, so that the device has what was ordered last. */
  async stop(): Promise<void> {
    const { hasOrders, round } = this.#parts
    this.#stopping.abort()
    const limit = AbortSignal.timeout(GOODBYE_MS)
    const last = this.#loop.then(() => (hasOrders() ? round(limit) : undefined)).catch(() => undefined)
    const isOver = new AbortController()
    await Promise.race([last, sleep(GOODBYE_MS, undefined, { signal: isOver.signal }).catch(() => undefined)])
    isOver.abort()
  }

  async #run(): Promise<void> {
    const { everyMs, round, onFailure } = this.#parts
    const { signal } = this.#stopping
    let retryMs = FASTEST_RETRY_MS
    while (!signal.aborted) {
      this.#waking = new AbortController()
      try {
        await round(signal)
        retryMs = FASTEST_RETRY_MS
        await pause(everyMs, AbortSignal.any([this.#waking.signal, signal]))
      } catch (error) {
        if (signal.aborted) return
        onFailure(error)
        await pause(retryMs, signal)
        retryMs = Math.min(SLOWEST_RETRY_MS, 2 * retryMs)
      }
    }
  }
}

const pause = (ms: number, signal: AbortSignal): Promise<unknown> =>
  sleep(ms, undefined, { signal }).catch(() => undefined)
