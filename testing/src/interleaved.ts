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
    const answered = async <T>(answer: T | Promise<T>): Promise<T> => {
      const received = await answer
      if (++this.#step === this.#at) await this.#event()
      return received
    }
    const plugin: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult: ({ result }) => answered(result),
    }
    const own: Pick<Store, 'db' | 'read' | 'batch' | 'batchEach'> = {
      db: watched(store.db, plugin),
      read: (query) => answered(store.read(query)),
      batch: (queries, limits) => answered(store.batch(queries, limits)),
      batchEach: (batches) => answered(store.batchEach(batches)),
    }
    this.store = Object.assign(Object.create(store), own)
  }

  /** How many answers from the database the work needs. */
  async stepsOf(work: () => Promise<unknown>): Promise<number> {
    await this.at(0, async () => {}, work)
    return this.#step
  }

  /** Runs the work with the event after its nth answer from the database. */
  async at(n: number, event: () => Promise<unknown>, work: () => Promise<unknown>): Promise<void> {
    this.#step = 0
    this.#at = n
    this.#event = event
    try {
      await work()
    } finally {
      // What still goes on in the background is not the work.
      this.#at = 0
    }
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
