import type { Happening, News } from '../processes/news.ts'

interface Waiting {
  revision: string
  wake(): void
}

/** Soon after news, those whom it may concern are looked at together. */
const AFTER_NEWS_MS = 50
/** News may be missed, and some changes are not announced. */
const AT_LEAST_EVERY_MS = 500

interface RevisionWaitParts {
  news: News
  /** Which keys are in the news; undefined where it may be any. */
  named(what: Happening): string[] | undefined
  /** The revisions of all these keys, by one look at the database. */
  revisionsOf(keys: string[]): Promise<Map<string, string>>
}

/** Where the keys are ids of buildings. */
export function waitsByBuilding(what: Happening): string[] | undefined {
  switch (what.kind) {
    case 'heard':
      return what.buildingIds
    case 'building':
      return [what.buildingId]
    case 'key':
    case 'session':
      return []
    case 'anything':
      return undefined
  }
}

/** Lets requests wait until the revision of something is another one. One look at the revisions serves all who wait. */
export class RevisionWaits {
  readonly #parts: RevisionWaitParts
  readonly #waiting = new Map<string, Set<Waiting>>()
  #unsubscribe: (() => void) | undefined
  /** When all are looked at. */
  #timer: NodeJS.Timeout | undefined
  /** All are looked at soon, or are being looked at: no later news puts that off. */
  #isSoon = false
  /** Keys in the news that are looked at soon. */
  #named = new Set<string>()
  #namedTimer: NodeJS.Timeout | undefined

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
    this.#unsubscribe ??= this.#parts.news.subscribe((what) => this.#hear(what))
    this.#timer ??= setTimeout(() => void this.#look(), AT_LEAST_EVERY_MS)
    return promise
  }

  #hear(what: Happening): void {
    const keys = this.#parts.named(what)
    if (!keys) this.#lookSoon()
    for (const key of keys ?? []) if (this.#waiting.has(key)) this.#named.add(key)
    if (this.#named.size > 0) this.#namedTimer ??= setTimeout(() => void this.#lookAtNamed(), AFTER_NEWS_MS)
  }

  async #lookAtNamed(): Promise<void> {
    const keys = [...this.#named].filter((key) => this.#waiting.has(key))
    this.#named.clear()
    this.#namedTimer = undefined
    if (keys.length > 0) await this.#lookAt(keys)
  }

  #lookSoon(): void {
    if (this.#isSoon) return
    this.#isSoon = true
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#look(), AFTER_NEWS_MS)
  }

  async #look(): Promise<void> {
    this.#isSoon = true
    await this.#lookAt([...this.#waiting.keys()])
    this.#isSoon = false
    // Somebody may have begun to wait meanwhile.
    clearTimeout(this.#timer)
    this.#timer = this.#waiting.size > 0 ? setTimeout(() => void this.#look(), AT_LEAST_EVERY_MS) : undefined
  }

  async #lookAt(keys: string[]): Promise<void> {
    try {
      const revisions = await this.#parts.revisionsOf(keys)
      for (const key of keys)
        for (const { revision, wake } of [...(this.#waiting.get(key) ?? [])])
          if (revisions.has(key) && revisions.get(key) !== revision) wake()
    } catch {
      // The database is away for the moment: those who wait look for themselves, and meet the error there.
    }
  }

  #rest(): void {
    clearTimeout(this.#timer)
    clearTimeout(this.#namedTimer)
    this.#timer = undefined
    this.#isSoon = false
    this.#namedTimer = undefined
    this.#named.clear()
    this.#unsubscribe?.()
    this.#unsubscribe = undefined
  }
}
