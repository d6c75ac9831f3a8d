import type { Clock } from '../clock.ts'
import type { Store } from '../store/store.ts'

/** Clocks of two processes on one machine agree, but a write is stamped a moment before it is committed. */
const OVERLAP_MS = 10_000

/** Finds buildings whose settings or structure changed, also when another process changed them. */
export class RevisionWatch {
  readonly #store: Store
  readonly #clock: Clock
  #since: number
  #seen = new Map<string, number>()

  constructor(store: Store, clock: Clock) {
    this.#store = store
    this.#clock = clock
    this.#since = clock.now()
  }

  async changed(): Promise<string[]> {
    const from = this.#since - OVERLAP_MS
    const rows = await this.#store.db
      .selectFrom('buildings')
      .select(['id', 'revisedAt'])
      .where('revisedAt', '>=', from)
      .execute()
    const news = rows.filter(({ id, revisedAt }) => this.#seen.get(id) !== revisedAt)
    this.#seen = new Map(rows.map(({ id, revisedAt }) => [id, revisedAt]))
    this.#since = this.#clock.now()
    return news.map(({ id }) => id)
  }
}
