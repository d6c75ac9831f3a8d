const LONGEST_MS = 20

/** Divides work that many wait for into slices: between two of them the event loop does what else there is. */
export class Slices {
  readonly #nowMs: () => number
  #startedMs: number | undefined

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs
  }

  /** Asked right before a piece of work: whether it is for a later turn of the event loop. */
  isOver(): boolean {
    if (this.#startedMs === undefined) {
      this.#startedMs = this.#nowMs()
      setImmediate(() => {
        this.#startedMs = undefined
      })
    }
    return this.#nowMs() - this.#startedMs >= LONGEST_MS
  }

  next(): Promise<void> {
    return new Promise((resolve) => setImmediate(resolve))
  }
}
