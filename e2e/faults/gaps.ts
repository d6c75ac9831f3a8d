/** The longest time without a success, and what had happened then. */
export class Gaps {
  #lastMs = performance.now()
  longestMs = 0
  during = ''

  success(cause: string): void {
    const nowMs = performance.now()
    if (nowMs - this.#lastMs > this.longestMs) {
      this.longestMs = nowMs - this.#lastMs
      this.during = cause
    }
    this.#lastMs = nowMs
  }

  /** Time in which nothing was tried does not count. */
  restart(): void {
    this.#lastMs = performance.now()
  }
}
