import type { Store } from '../../store/store.ts'
import type { Auth, AuthOptions } from './auth.ts'

const MOST_ORIGINS = 16

/**
 * Instances of better-auth, made when first asked for. Whether cookies are `Secure` is all that most of it needs to know
 * of the origin, so that one instance a scheme does: a request with a host name of its own invention costs no more than
 * another. Passkeys belong to one site; the oldest instance gives way, and their routes are throttled.
 */
export class AuthByOrigin {
  readonly #store: Store
  readonly #options: Omit<AuthOptions, 'origin'>
  readonly #byScheme = new Map<string, Auth>()
  readonly #forPasskeys = new Map<string, Auth>()

  constructor(store: Store, options: Omit<AuthOptions, 'origin'>) {
    this.#store = store
    this.#options = options
  }

  at(origin: string): Promise<Auth> {
    return this.#kept(this.#byScheme, `${new URL(origin).protocol}//localhost`)
  }

  forPasskeysAt(origin: string): Promise<Auth> {
    const [oldest] = this.#forPasskeys.keys()
    const isNew = !this.#forPasskeys.has(origin)
    if (isNew && oldest !== undefined && this.#forPasskeys.size >= MOST_ORIGINS) this.#forPasskeys.delete(oldest)
    return this.#kept(this.#forPasskeys, origin)
  }

  async #kept(instances: Map<string, Auth>, origin: string): Promise<Auth> {
    // Loaded when needed: it takes longer than all the rest.
    const { createAuth } = await import('./auth.ts')
    const kept = instances.get(origin) ?? createAuth(this.#store, { ...this.#options, origin })
    instances.set(origin, kept)
    return kept
  }
}
