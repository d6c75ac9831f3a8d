import { setTimeout as sleep } from 'node:timers/promises'
import type { FaultPlan } from '@hypocaust/service'
import { type Clock, seededRandom, type VirtualHouse } from '@hypocaust/simulator'
import { HouseFaults, type Switchable } from './house-faults.ts'
import type { FaultKind } from './kinds.ts'
import { RequestFaults } from './request-faults.ts'

interface BadDayParts {
  kinds: readonly FaultKind[]
  seed: number
  clock: Clock
  house: VirtualHouse
  silentAfterS: number
  tell(line: string): void
}

/** Everything that an integration must live through, in the order of a seed. */
export class BadDay {
  readonly plan: FaultPlan
  readonly #house: HouseFaults
  readonly #stopped = new AbortController()

  constructor({ kinds, seed, clock, house, silentAfterS, tell }: BadDayParts) {
    const faults = new HouseFaults({
      random: seededRandom(seed),
      clock,
      house,
      silentAfterS,
      tell,
    })
    const requests = new RequestFaults({
      kinds,
      random: seededRandom(seed + 1),
      nowMs: Date.now,
      sleep: (ms) => sleep(ms, undefined, { signal: this.#stopped.signal }).catch(() => {}),
      tell,
      house: faults,
    })
    this.#house = faults
    this.plan = (asked) => requests.decide(asked)
  }

  start(gateway: Switchable): void {
    this.#house.start(gateway)
  }

  async stop(): Promise<void> {
    this.#stopped.abort()
    await this.#house.stop()
  }
}
