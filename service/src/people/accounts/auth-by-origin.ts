import type { Store } from '../../store/store.ts'
import type { Auth, AuthOptions } from './auth.ts'

const MOST_ORIGINS = 16

/** One instance an origin, made when first asked for. The oldest gives way: a made-up host name costs nothing. */
export class AuthByOrigin {
  readonly #store: Store
  readonly #options: Omit<AuthOptions, 'origin'>
  readonly #instances = new Map<string, Auth>()

  constructor(store: Store, options: Omit<AuthOptions, 'origin'>) {
    this.#store = store
    this.#options = options
  }

  async at(origin: string): Promise<Auth> {
    // Loaded when needed: it takes longer than all the rest.
    const { createAuth } = await import('./auth.ts')
    const kept = this.#instances.get(origin)
    if (kept) return kept
    const [oldest] = this.#instances.keys()
    if (oldest !== undefined && this.#instances.size >= MOST_ORIGINS) this.#instances.delete(oldest)
    const fresh = createAuth(this.#store, { ...this.#options, origin })
    this.#instances.set(origin, fresh)
    return fresh
  }
}
