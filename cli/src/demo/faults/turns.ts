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

  next(): T | undefined {
    if (this.#left.length === 0) this.#left = [...this.#kinds]
    return this.#left.splice(between(this.#random, 0, this.#left.length - 1), 1)[0]
  }
}
