const WIDTH = 30

/** A bar on a terminal, a line for each new stage elsewhere. */
export class Progress {
  readonly #total: number
  #done = 0
  #stage = ''

  constructor(total: number) {
    this.#total = total
  }

  /** `units` of the whole are through; what is under way now. */
  to(stage: string, units = 0): void {
    this.#done = Math.min(this.#total, this.#done + units)
    const { stderr } = process
    const percent = Math.round((100 * this.#done) / this.#total)
    if (stderr.isTTY) {
      const filled = Math.round((WIDTH * this.#done) / this.#total)
      stderr.write(`\r\x1b[K[${'#'.repeat(filled)}${' '.repeat(WIDTH - filled)}] ${percent} %  ${stage}`)
    } else if (stage !== this.#stage) stderr.write(`${String(percent).padStart(3)} %  ${stage}\n`)
    this.#stage = stage
  }

  end(): void {
    if (process.stderr.isTTY) process.stderr.write('\r\x1b[K')
  }
}
