/** What came of the cases; every fault with enough to play it again. */
export class Verdict {
  /** A case that takes longer hangs, unless the same case is quick when tried again: then the machine was busy. */
  readonly hangMs: number
  readonly #counts = new Map<string, number>()
  readonly faults: string[] = []
  slowestMs = 0
  slowest = ''

  constructor(hangMs: number) {
    this.hangMs = hangMs
  }

  count(area: string, cases = 1): void {
    this.#counts.set(area, (this.#counts.get(area) ?? 0) + cases)
  }

  fault(kind: string, what: string): void {
    this.faults.push(`${kind}: ${what}`)
  }

  took(ms: number, what: string): void {
    if (ms <= this.slowestMs) return
    this.slowestMs = ms
    this.slowest = what
  }

  get cases(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0)
  }

  get areas(): [string, number][] {
    return [...this.#counts]
  }
}

/** Runs it, and once more if it took too long. */
export async function timed<T>(verdict: Verdict, what: () => string, work: () => Promise<T> | T): Promise<T> {
  const startMs = performance.now()
  const result = await work()
  const tookMs = performance.now() - startMs
  if (tookMs <= verdict.hangMs) {
    verdict.took(tookMs, what())
    return result
  }
  const againMs = performance.now()
  const again = await work()
  const secondMs = performance.now() - againMs
  if (secondMs > verdict.hangMs) verdict.fault('hang', `${Math.round(secondMs)} ms: ${what()}`)
  else verdict.took(secondMs, what())
  return again
}
