/** What came of the cases; every fault with enough to play it again. */
export class Verdict {
  /** A case that takes longer hangs, unless the same case is quick when tried again. */
  readonly hangMs: number
  /** How long what is tried has waited for a processor so far. */
  readonly starvedMs: () => number
  readonly #counts = new Map<string, number>()
  readonly faults: string[] = []
  slowestMs = 0
  slowest = ''

  constructor(hangMs: number, starvedMs: () => number) {
    this.hangMs = hangMs
    this.starvedMs = starvedMs
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
  const first = await stopped(verdict, work)
  if (first.tookMs <= verdict.hangMs) {
    verdict.took(first.tookMs, what())
    return first.result
  }
  const second = await stopped(verdict, work)
  if (second.tookMs > verdict.hangMs) verdict.fault('hang', `${Math.round(second.tookMs)} ms: ${what()}`)
  else verdict.took(second.tookMs, what())
  return second.result
}

/** The time it took, without the waiting for a processor that other programs had. */
async function stopped<T>(verdict: Verdict, work: () => Promise<T> | T): Promise<{ result: T; tookMs: number }> {
  const [startMs, starvedMs] = [performance.now(), verdict.starvedMs()]
  const result = await work()
  const waitedMs = Math.max(0, verdict.starvedMs() - starvedMs)
  return { result, tookMs: Math.max(0, performance.now() - startMs - waitedMs) }
}
