/** Work on one key runs one after the other; work on different keys side by side. */
export class KeyedQueue {
  readonly #last = new Map<string, Promise<void>>()

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

  async idle(): Promise<void> {
    while (this.#last.size > 0) await Promise.allSettled(this.#last.values())
  }
}
