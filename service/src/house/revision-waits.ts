import type { News } from '../processes/news.ts'

interface Waiting {
  revision: string
  wake(): void
}

/** Soon after news, all who wait are looked at together. */
const AFTER_NEWS_MS = 50
/** News may be missed, and some changes are not announced. */
const AT_LEAST_EVERY_MS = 500

interface RevisionWaitParts {
  news: News
  /** The revisions of all these keys, by one look at the database. */
  revisionsOf(keys: string[]): Promise<Map<string, string>>
}

/** Lets requests wait until the revision of something is another one. One look at the revisions serves all who wait. */
export class RevisionWaits {
  readonly #parts: RevisionWaitParts
  readonly #waiting = new Map<string, Set<Waiting>>()
  #unsubscribe: (() => void) | undefined
  #timer: NodeJS.Timeout | undefined
  #isLooking = false

  constructor(parts: RevisionWaitParts) {
    this.#parts = parts
  }

  /** Until the revision of the key is another, the time is over, or the wait is ended. */
  another(key: string, revision: string, mostMs: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve()
    const { promise, resolve } = Promise.withResolvers<void>()
    const others = this.#waiting.get(key) ?? new Set()
    this.#waiting.set(key, others)
    const wake = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', wake)
      others.delete(waiting)
      if (others.size === 0 && this.#waiting.get(key) === others) this.#waiting.delete(key)
      if (this.#waiting.size === 0) this.#rest()
      resolve()
    }
    const waiting = { revision, wake }
    const timer = setTimeout(wake, mostMs)
    others.add(waiting)
    signal.addEventListener('abort', wake)
    this.#unsubscribe ??= this.#parts.news.subscribe(() => this.#lookIn(AFTER_NEWS_MS))
    this.#timer ??= setTimeout(() => void this.#look(), AT_LEAST_EVERY_MS)
    return promise
  }

  #lookIn(ms: number): void {
    if (this.#isLooking) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#look(), ms)
  }

  async #look(): Promise<void> {
    this.#isLooking = true
    try {
      this.#wake(await this.#parts.revisionsOf([...this.#waiting.keys()]))
    } catch {
      // The database is away for the moment: those who wait look for themselves, and meet the error there.
    }
    this.#isLooking = false
    this.#timer = undefined
    if (this.#waiting.size > 0) this.#lookIn(AT_LEAST_EVERY_MS)
  }

  #wake(revisions: Map<string, string>): void {
    for (const [key, waiting] of this.#waiting)
      for (const { revision, wake } of [...waiting]) if (revisions.has(key) && revisions.get(key) !== revision) wake()
  }

  #rest(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#unsubscribe?.()
    this.#unsubscribe = undefined
  }
}
