interface Span {
  timer: NodeJS.Timeout
  isAskedAgain: boolean
}

/** Work is begun at once, and then not again within a span: all requests in between are served by one turn at its end. */
export class AtMostEvery {
  readonly #spanMs: number
  readonly #work: (key: string) => void
  readonly #spans = new Map<string, Span>()

  constructor(spanMs: number, work: (key: string) => void) {
    this.#spanMs = spanMs
    this.#work = work
  }

  ask(key: string): void {
    const span = this.#spans.get(key)
    if (span) span.isAskedAgain = true
    else this.#begin(key)
  }

  /** What waits for the end of its span is not done any more. */
  stop(): void {
    for (const { timer } of this.#spans.values()) clearTimeout(timer)
    this.#spans.clear()
  }

  #begin(key: string): void {
    this.#spans.set(key, { timer: setTimeout(() => this.#end(key), this.#spanMs), isAskedAgain: false })
    this.#work(key)
  }

  #end(key: string): void {
    const isAskedAgain = this.#spans.get(key)?.isAskedAgain
    this.#spans.delete(key)
    if (isAskedAgain) this.#begin(key)
  }
}
