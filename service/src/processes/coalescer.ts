/**
 * Work on several keys costs less if it begins at one moment. The first request begins it at once; the requests of the
 * span after that are served together at its end.
 */
export class Coalescer {
  readonly #spanMs: number
  readonly #work: (keys: Set<string>) => void
  #waiting = new Set<string>()
  #span: NodeJS.Timeout | undefined
  #isStopped = false

  constructor(spanMs: number, work: (keys: Set<string>) => void) {
    this.#spanMs = spanMs
    this.#work = work
  }

  ask(key: string): void {
    if (this.#isStopped) return
    this.#waiting.add(key)
    if (this.#span) return
    this.#span = setTimeout(() => this.#end(), this.#spanMs)
    queueMicrotask(() => this.#begin())
  }

  /** What waits for the end of the span is not done any more. */
  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#span)
    this.#waiting.clear()
  }

  #begin(): void {
    const keys = this.#waiting
    this.#waiting = new Set()
    if (keys.size > 0) this.#work(keys)
  }

  #end(): void {
    this.#span = this.#waiting.size > 0 ? setTimeout(() => this.#end(), this.#spanMs) : undefined
    this.#begin()
  }
}
