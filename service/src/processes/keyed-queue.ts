/** Work on one key runs one after the other; work on different keys side by side. */
export class KeyedQueue {
  readonly #last = new Map<string, Promise<void>>()
  readonly #requested = new Map<string, Promise<void>>()
  #isStopped = false

  run(key: string, work: () => Promise<void>): Promise<void> {
    const before = this.#last.get(key) ?? Promise.resolve()
    const begin = async () => {
      if (!this.#isStopped) await work()
    }
    const turn = before.then(begin, begin)
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

  get isStopped(): boolean {
    return this.#isStopped
  }

  /** What has begun is waited for, and what has not is not done any more. */
  stop(): Promise<void> {
    this.#isStopped = true
    return this.idle()
  }

  async idle(): Promise<void> {
    while (this.#last.size > 0) await Promise.allSettled(this.#last.values())
  }
}
