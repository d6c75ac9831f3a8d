import type { Kysely, KyselyPlugin } from 'kysely'
import type { Store } from '../../service/src/store/store.ts'

/** Something happens between two steps of a request, at a step of the test's choice: as another process would do it. */
export class Interleaving {
  /** The same database for the application under test. */
  readonly store: Store
  #step = 0
  #at = 0
  #event: () => Promise<unknown> = async () => {}

  constructor(store: Store) {
    const plugin: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        if (++this.#step === this.#at) await this.#event()
        return result
      },
    }
    const db = watched(store.db, plugin)
    this.store = Object.create(store, { db: { value: db } })
  }

  /** Runs the work with the event after its nth answer from the database; false once the work has fewer than n. */
  async at(n: number, event: () => Promise<unknown>, work: () => Promise<unknown>): Promise<boolean> {
    this.#step = 0
    this.#at = n
    this.#event = event
    try {
      await work()
    } finally {
      // What still goes on in the background is not the work.
      this.#at = 0
    }
    return this.#step >= n
  }
}

/** Also what asks without our plugins, as the sign-in library does. */
function watched<T>(db: Kysely<T>, plugin: KyselyPlugin): Kysely<T> {
  return new Proxy(db.withPlugin(plugin), {
    get(target, name) {
      if (name === 'withoutPlugins') return () => target.withoutPlugins().withPlugin(plugin)
      const value = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
