/** Work on one key runs one after the other; work on different keys side by side. */
export class KeyedQueue {
  readonly #last = new Map<string, Promise<void>>()
  readonly #requested = new Map<string, Promise<void>>()

  run(key: string, work: () => Promise<void>): Promise<void> {
    const before = this.#last.get(key) ?? Promise.resolve()
    const turn = before.then(work, work)
    this.#last.set(key, turn)
    const forget = () => {
      if (this.#last.get(key) === turn) this.#last.delete(key)
    }
    turn.then(forget, forget)
    return turn
  }

  /** Work that is the same each time: a request while one waits for its turn is served by that turn. */
  request(key: string, work: () => Promise<void>): Promise<void> {
    const waiting = this.#requested.get(key)
    if (waiting) return waiting
    const turn = this.run(key, () => {
      this.#requested.delete(key)
      return work()
    })
    this.#requested.set(key, turn)
    return turn
  }

  async idle(): Promise<void> {
    while (this.#last.size > 0) await Promise.allSettled(this.#last.values())
  }
}
