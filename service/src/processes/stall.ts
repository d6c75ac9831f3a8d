/**
 * Whether a counter has stood still for so many looks. Looks are counted, not time: a machine that was suspended stops
 * both sides, and has not stalled.
 */
export class Stall {
  readonly #mostLooks: number
  #last: number | undefined
  #looks = 0

  constructor(mostLooks: number) {
    this.#mostLooks = mostLooks
  }

  isStalled(count: number): boolean {
    this.#looks = count === this.#last ? this.#looks + 1 : 0
    this.#last = count
    return this.#looks >= this.#mostLooks
  }
}
