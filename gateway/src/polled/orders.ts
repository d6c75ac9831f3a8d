/** What was ordered of a device and is not there yet: of each order the newest, in the order in which they came. */
export class Orders<T> {
  readonly #waiting = new Map<string, T>()

  get isEmpty(): boolean {
    return this.#waiting.size === 0
  }

  put(name: string, order: T): void {
    this.#waiting.delete(name)
    this.#waiting.set(name, order)
  }

  /** Carries out all of them; one that fails waits, unless a newer one has come meanwhile. */
  async carryOut(carry: (name: string, order: T) => Promise<void>): Promise<void> {
    for (const [name, order] of [...this.#waiting]) {
      if (this.#waiting.get(name) !== order) continue
      await carry(name, order)
      if (this.#waiting.get(name) === order) this.#waiting.delete(name)
    }
  }
}
