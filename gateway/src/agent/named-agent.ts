import type { Store } from '../base/store.ts'

/** An agent that keeps its session with the service for so long has won it: no other agent takes it away. */
const WON_MS = 60_000
/**
 * How long the name of another agent counts after the service has last sent it. An agent that stands by asks again every
 * ten minutes, so one that has not heard it for so long does not reach the service, and the house must not freeze.
 */
const COUNTS_MS = 1_800_000
const MOST_CLAIMED = 8

/**
 * Which agent of this gateway the service has named. Two with one token that do not share a device broker meet on the
 * service's broker only, where each connection ends the other's.
 */
export class NamedAgent {
  readonly #store: Pick<Store, 'get' | 'put'>
  #boot = ''
  /** Boots of this disk that the service may have named: an agent that restarts goes on at once. */
  #claimed: string[] = []
  #named: { boot: string; heardMs: number } | null = null
  #connectedMs: number | null = null
  #isHeard = false

  constructor(store: Pick<Store, 'get' | 'put'>) {
    this.#store = store
  }

  start(boot: string): void {
    this.#boot = boot
    this.#claimed = this.#store.get<string[] | null>('claimed_boots') ?? []
  }

  /** The service may have said its configuration before: a broker sends what it keeps as soon as it can. */
  connected(nowMs: number): void {
    this.#connectedMs = nowMs
  }

  disconnected(nowMs: number): void {
    if (this.#connectedMs === null) return
    // What it has won, a line that breaks does not give back: the service is asked again on the next one.
    if (nowMs - this.#connectedMs >= WON_MS) this.#named = null
    this.#connectedMs = null
    this.#isHeard = false
  }

  /** Whether the service has said on this connection which agent it has named, or that it names none. */
  get isHeard(): boolean {
    return this.#connectedMs !== null && this.#isHeard
  }

  /** From the service's configuration. */
  hear(boot: string | undefined, nowMs: number): void {
    this.#isHeard = true
    if (boot !== undefined && boot !== this.#named?.boot && this.#connectedMs !== null) this.#connectedMs = nowMs
    this.#named = boot === undefined ? null : { boot, heardMs: nowMs }
    if (boot === this.#boot && this.#claimed.length > 1) this.#keep([boot])
  }

  /** Before the service is asked to name this agent: it may do so and its answer be lost. */
  claim(): void {
    if (!this.#claimed.includes(this.#boot)) this.#keep([...this.#claimed, this.#boot].slice(-MOST_CLAIMED))
  }

  /** Another agent is named, and this one has not won its session. */
  isOther(nowMs: number): boolean {
    if (this.#named === null || this.#claimed.includes(this.#named.boot)) return false
    if (this.#connectedMs !== null && nowMs - this.#connectedMs >= WON_MS) return false
    return nowMs - this.#named.heardMs < COUNTS_MS
  }

  #keep(boots: string[]): void {
    this.#claimed = boots
    this.#store.put('claimed_boots', boots)
  }
}
