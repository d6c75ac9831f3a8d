import type { Asked, Fault, Refusal } from '@hypocaust/service'
import type { Random } from '@hypocaust/simulator'
import { type FaultKind, type HouseFault, isInHouse, type RequestFault } from './kinds.ts'
import { between, Turns } from './turns.ts'

interface RequestFaultParts {
  kinds: readonly FaultKind[]
  random: Random
  /** Of the wall: clients wait by it, however fast the demo's time runs. */
  nowMs(): number
  sleep(ms: number): Promise<void>
  tell(line: string): void
  house: {
    /** What is wrong there meanwhile. */
    readonly ongoing: HouseFault[]
    begin(kind: HouseFault): Promise<void>
  }
}

interface Outage {
  kind: '429' | '503'
  untilMs: number
}

const GOOD_REQUESTS = { least: 4, most: 12 }
const LIMITED_S = { least: 3, most: 15 }
const AWAY_S = { least: 1, most: 6 }
const DELAY_S = { least: 2, most: 15 }

/**
 * Lets most requests through. Every now and then one fails, and a refusal lasts for as long as it says; or something
 * goes wrong in the house. Each kind comes once before any comes again; what is still wrong in the house counts as come.
 */
export class RequestFaults {
  readonly #parts: RequestFaultParts
  readonly #turns: Turns<FaultKind>
  readonly #outages = new Map<Asked['budget'], Outage>()
  #goodLeft: number

  constructor(parts: RequestFaultParts) {
    this.#parts = parts
    this.#turns = new Turns(parts.kinds, parts.random)
    this.#goodLeft = this.#pause()
  }

  async decide(asked: Asked): Promise<Fault> {
    const kind = this.#lasting(asked) ?? (await this.#fresh(asked))
    const marks = [...this.#parts.house.ongoing, ...(kind ? [kind] : [])]
    if (kind === undefined) return { marks, refusal: null }
    if (kind !== 'delay') return { marks, refusal: this.#refusal(kind, asked) }
    const seconds = between(this.#parts.random, DELAY_S.least, DELAY_S.most)
    this.#tell(asked, `delay: ${seconds} s`)
    await this.#parts.sleep(seconds * 1000)
    return { marks, refusal: null }
  }

  #lasting({ budget }: Asked): Outage['kind'] | undefined {
    const outage = this.#outages.get(budget)
    return outage && outage.untilMs > this.#parts.nowMs() ? outage.kind : undefined
  }

  async #fresh(asked: Asked): Promise<RequestFault | undefined> {
    if (this.#parts.kinds.length === 0 || this.#goodLeft-- > 0) return undefined
    this.#goodLeft = this.#pause()
    const { house } = this.#parts
    const kind = this.#turns.next((each) => !house.ongoing.some((ongoing) => ongoing === each))
    if (kind && isInHouse(kind)) {
      await house.begin(kind)
      return undefined
    }
    if (kind === '429') this.#begin({ kind, ...LIMITED_S }, [asked.budget])
    if (kind === '503') this.#begin({ kind, ...AWAY_S }, ['read', 'write'])
    return kind
  }

  /** A used-up budget of reads leaves the writes alone; a service that is away is away for both. */
  #begin({ kind, least, most }: { kind: Outage['kind']; least: number; most: number }, budgets: Asked['budget'][]) {
    const untilMs = this.#parts.nowMs() + between(this.#parts.random, least, most) * 1000
    for (const budget of budgets) this.#outages.set(budget, { kind, untilMs })
  }

  #refusal(kind: Refusal['kind'], asked: Asked): Refusal {
    if (kind !== '429') {
      this.#tell(asked, kind)
      return { kind }
    }
    const untilMs = this.#outages.get(asked.budget)?.untilMs ?? 0
    const retryAfterS = Math.max(1, Math.ceil((untilMs - this.#parts.nowMs()) / 1000))
    this.#tell(asked, `429: again in ${retryAfterS} s`)
    return { kind, retryAfterS }
  }

  #tell({ method, url, requestId }: Asked, what: string): void {
    this.#parts.tell(`${what}, to ${method} ${url}, request ${requestId}`)
  }

  #pause(): number {
    return between(this.#parts.random, GOOD_REQUESTS.least, GOOD_REQUESTS.most)
  }
}
