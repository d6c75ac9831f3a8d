/** Timers from this on are polls and retries; shorter ones gather what comes together. */
const POLLED_MS = 400

/** A process of the simulation, from its start to its end or crash. What belongs to a dead one never happens. */
export class Process {
  readonly name: string
  isAlive = true
  /** Timers of a busy process fire late, on this grid. */
  readonly paceMs: () => number

  constructor(name: string, paceMs: () => number = () => 0) {
    this.name = name
    this.paceMs = paceMs
  }
}

interface Entry {
  dueMs: number
  /** When a timer that fires late would have fired. */
  onTimeMs?: number
  order: number
  process: Process
  work: () => void
  isCancelled: boolean
}

/** The only source of time: everything that happens is an entry here, one after the other. */
export class Scheduler {
  readonly #drain: () => Promise<void>
  readonly #onFailure: (process: Process, error: unknown) => void
  readonly #heap: Entry[] = []
  readonly outside = new Process('outside')
  current = this.outside
  nowMs = 0
  steps = 0
  #order = 0

  /** `drain`: resolves when nothing is left that runs without time: promises and what they lead to. */
  constructor(drain: () => Promise<void>, onFailure: (process: Process, error: unknown) => void) {
    this.#drain = drain
    this.#onFailure = onFailure
  }

  /** Belongs to the process that runs now, unless another is named. */
  in(ms: number, work: () => void, process = this.current): Entry {
    const entry = { dueMs: this.nowMs + Math.max(0, ms), order: this.#order++, process, work, isCancelled: false }
    this.#push(entry)
    return entry
  }

  /** As a timer of a process fires: not before its time, and late where the process is busy. */
  timer(ms: number, work: () => void): Entry {
    const pace = this.current.paceMs()
    const dueMs = this.nowMs + Math.max(0, ms)
    const firesMs = pace > 0 && ms >= POLLED_MS ? Math.ceil(dueMs / pace) * pace : dueMs
    const entry = this.in(firesMs - this.nowMs, work)
    if (firesMs > dueMs) entry.onTimeMs = dueMs
    return entry
  }

  /** What is late fires now: the processes are not busy any more. */
  hurry(): void {
    const late = this.#heap.filter(({ onTimeMs }) => onTimeMs !== undefined)
    if (late.length === 0) return
    const others = this.#heap.filter(({ onTimeMs }) => onTimeMs === undefined)
    this.#heap.length = 0
    for (const entry of late) {
      entry.dueMs = Math.max(this.nowMs, entry.onTimeMs ?? 0)
      delete entry.onTimeMs
    }
    for (const entry of [...others, ...late]) this.#push(entry)
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.in(ms, resolve))
  }

  async run(untilMs: number, isOver: () => boolean = () => false): Promise<void> {
    for (let next = this.#heap[0]; next && next.dueMs <= untilMs && !isOver(); next = this.#heap[0]) {
      this.#pop()
      if (next.isCancelled || !next.process.isAlive) continue
      this.nowMs = Math.max(this.nowMs, next.dueMs)
      await this.#step(next.process, next.work)
    }
    if (!isOver()) this.nowMs = Math.max(this.nowMs, untilMs)
  }

  /** Runs entries until the work is done. */
  async until<T>(process: Process, work: () => Promise<T>): Promise<T> {
    let settled: { value: T } | { error: unknown } | undefined
    this.in(
      0,
      () =>
        void work().then(
          (value) => (settled = { value }),
          (error) => (settled = { error }),
        ),
      process,
    )
    while (!settled) {
      const next = this.#heap[0]
      if (!next) throw new Error(`${process.name}: nothing is left that could end this work`)
      await this.run(next.dueMs, () => settled !== undefined)
    }
    if ('error' in settled) throw settled.error
    return settled.value
  }

  async #step(process: Process, work: () => void): Promise<void> {
    this.steps++
    this.current = process
    try {
      work()
    } catch (error) {
      this.#onFailure(process, error)
    }
    await this.#drain()
    this.current = this.outside
  }

  #push(entry: Entry): void {
    const heap = this.#heap
    let at = heap.push(entry) - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!isBefore(entry, heap[parent] as Entry)) break
      heap[at] = heap[parent] as Entry
      at = parent
    }
    heap[at] = entry
  }

  #pop(): void {
    const heap = this.#heap
    const last = heap.pop() as Entry
    if (heap.length === 0) return
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && isBefore(heap[child + 1] as Entry, heap[child] as Entry)) child++
      if (!isBefore(heap[child] as Entry, last)) break
      heap[at] = heap[child] as Entry
      at = child
    }
    heap[at] = last
  }
}

const isBefore = (a: Entry, b: Entry): boolean => a.dueMs < b.dueMs || (a.dueMs === b.dueMs && a.order < b.order)
