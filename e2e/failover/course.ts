/** When something succeeded, in milliseconds of the process: what a caller sees of an outage. */
export class Course {
  readonly #successesMs: number[] = []

  get count(): number {
    return this.#successesMs.length
  }

  success(): void {
    this.#successesMs.push(performance.now())
  }

  /** The longest time between two successes of which the later one came after that moment. */
  longestGapS(fromMs: number): number {
    const gaps = this.#successesMs.map((atMs, i) => (atMs < fromMs ? 0 : atMs - (this.#successesMs[i - 1] ?? fromMs)))
    return Math.max(0, ...gaps) / 1000
  }

  /** How long after that moment nothing succeeded. */
  delayS(fromMs: number): number {
    const firstMs = this.#successesMs.find((atMs) => atMs > fromMs) ?? Number.POSITIVE_INFINITY
    return (firstMs - fromMs) / 1000
  }
}
