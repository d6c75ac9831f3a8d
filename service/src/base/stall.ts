/** Of the beats that are due in the looks that count; with fewer, an answer takes seconds, and most callers have gone. */
const FEWEST = 0.1

/**
 * Whether a counter that rises at least once between two looks has stood still, or nearly, for so many looks: a loop
 * that turns once in ten seconds serves nobody either. Looks are counted, not time: a machine that was suspended stops
 * both sides, and has not stalled.
 */
export class Stall {
  readonly #looks: number
  readonly #counts: number[] = []

  constructor(looks: number) {
    this.#looks = looks
  }

  isStalled(count: number): boolean {
    this.#counts.push(count)
    if (this.#counts.length <= this.#looks) return false
    const first = this.#counts.shift() as number
    return count - first < FEWEST * this.#looks
  }
}
