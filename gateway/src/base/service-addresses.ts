import type { Store } from './store.ts'

/** So long one of the two addresses is tried before the other: a broker that starts anew is back before that. */
const TRIED_FOR_MS = 300_000

const KEY = 'service_moved'

interface Moved {
  /** The address of pairing or file that it counts for: another pairing ends it. */
  from: string
  to: string
}

/**
 * Where the broker of the service is: at the address that the gateway was given, or at the one that the service has
 * told it since. Where that cannot be reached for long the first one is asked again, as it knows where the building is.
 */
export class ServiceAddresses {
  readonly #store: Pick<Store, 'get' | 'put'>
  readonly #given: string
  #current: string
  #sinceMs: number

  constructor(store: Pick<Store, 'get' | 'put'>, given: string, nowMs: number) {
    this.#store = store
    this.#given = given
    this.#current = this.#moved ?? given
    this.#sinceMs = nowMs
  }

  get current(): string {
    return this.#current
  }

  /** Whether another address counts from now on. One without TLS never takes the place of one with it. */
  move(url: string, nowMs: number): boolean {
    if (isEncrypted(this.#current) && !isEncrypted(url)) return false
    this.#store.put(KEY, { from: this.#given, to: url } satisfies Moved)
    const isNew = url !== this.#current
    this.#current = url
    this.#sinceMs = nowMs
    return isNew
  }

  /** Whether another address is to be tried, after one has been without a connection for long. */
  step(isConnected: boolean, nowMs: number): boolean {
    if (isConnected || this.#moved === null) this.#sinceMs = nowMs
    if (nowMs - this.#sinceMs < TRIED_FOR_MS) return false
    this.#sinceMs = nowMs
    const other = this.#current === this.#given ? this.#moved : this.#given
    if (other === null || other === this.#current) return false
    this.#current = other
    return true
  }

  get #moved(): string | null {
    const moved = this.#store.get<Moved>(KEY)
    return moved?.from === this.#given ? moved.to : null
  }
}

const isEncrypted = (url: string): boolean => /^(mqtts|wss):/.test(url)
