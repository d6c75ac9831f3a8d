import type { Random } from '@hypocaust/simulator'

export const between = (random: Random, least: number, most: number): number =>
  least + Math.floor(random.uniform() * (most - least + 1))

/** Each kind comes once before any comes again, in an order nobody can foresee. */
export class Turns<T> {
  readonly #kinds: readonly T[]
  readonly #random: Random
  #left: T[] = []

  constructor(kinds: readonly T[], random: Random) {
    this.#kinds = kinds
    this.#random = random
  }

  /** One of those whose turn it is; what cannot come now is passed over in this round. */
  next(canCome: (kind: T) => boolean = () => true): T | undefined {
    const possible = (kinds: readonly T[]) => kinds.filter(canCome)
    this.#left = possible(this.#left)
    if (this.#left.length === 0) this.#left = possible(this.#kinds)
    return this.#left.splice(between(this.#random, 0, this.#left.length - 1), 1)[0]
  }
}
