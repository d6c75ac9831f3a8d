/** What the service asks of its database, as figures. */
export interface StoreLoad {
  /** Statements and transactions that took longer than a second, since the start. */
  slow: number
  /** Why the database takes no writes, as far as is known. */
  writeProblem?: string | undefined
  /** Of a pool of connections, where the engine has one. */
  connections?: { used: number; idle: number; waiting: number; most: number }
}

/** A server that copies the database. */
export interface Standby {
  name: string
  /** What it has not applied yet; null where we may not see it. */
  lagBytes: number | null
}

const SLOW_MS = 1000

/** Counts what takes long. */
export class SlowCount {
  count = 0
  readonly #slowMs: number

  constructor(slowMs = SLOW_MS) {
    this.#slowMs = slowMs
  }

  /** Of something that has just ended. */
  note(startedMs: number): void {
    if (performance.now() - startedMs > this.#slowMs) this.count++
  }

  async watch<T>(work: () => Promise<T>): Promise<T> {
    const startedMs = performance.now()
    try {
      return await work()
    } finally {
      this.note(startedMs)
    }
  }
}
