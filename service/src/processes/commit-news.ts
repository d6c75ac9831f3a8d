import { type CompiledQuery, sql } from 'kysely'
import type { Store } from '../store/store.ts'
import type { Happening, News } from './news.ts'

const LOOK_EVERY_MS = 100

/**
 * SQLite does not report what has changed, but knows whether another connection has committed anything, and a look costs
 * some microseconds. Nothing is missed: the connection that looks only reads, and this process writes over another one.
 */
export class CommitNews implements News {
  readonly isLive = true
  readonly #store: Store
  readonly #query: CompiledQuery<{ dataVersion: number }>
  readonly #listeners = new Set<(what: Happening) => void>()
  #timer: NodeJS.Timeout | undefined
  #version: number | undefined

  constructor(store: Store) {
    this.#store = store
    this.#query = sql<{ dataVersion: number }>`pragma data_version`.compile(store.db.withoutPlugins())
  }

  subscribe(listener: (what: Happening) => void): () => void {
    this.#listeners.add(listener)
    if (this.#timer === undefined) {
      this.#version = undefined
      void this.#look()
      this.#timer = setInterval(() => void this.#look(), LOOK_EVERY_MS)
    }
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size > 0) return
      clearInterval(this.#timer)
      this.#timer = undefined
    }
  }

  heard(): void {}

  async #look(): Promise<void> {
    const before = this.#version
    try {
      this.#version = (await this.#store.read(this.#query))[0]?.dataVersion
    } catch {
      // The database is away for the moment: readers meet the error when they poll.
      return
    }
    if (before === undefined || before === this.#version) return
    for (const listener of this.#listeners) listener({ kind: 'anything' })
  }
}
