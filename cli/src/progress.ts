/** How far something is, on standard error: a line that changes on a terminal, elsewhere a line for every tenth. */
export class Progress {
  #shown = ''

  show(what: string, done: number, of: number): void {
    const percent = of === 0 ? 100 : Math.floor((100 * done) / of)
    if (process.stderr.isTTY) {
      process.stderr.write(`\r\u001b[K${what}: ${percent} %`)
      return
    }
    const line = `${what}: ${Math.floor(percent / 10) * 10} %`
    if (line !== this.#shown) console.error(line)
    this.#shown = line
  }

  end(): void {
    if (process.stderr.isTTY) process.stderr.write('\r\u001b[K')
  }
}
