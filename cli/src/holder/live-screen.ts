/** Draws over itself on a terminal, and leaves the last picture behind when it ends. */
export class LiveScreen {
  readonly #out: NodeJS.WriteStream

  constructor(out: NodeJS.WriteStream) {
    this.#out = out
  }

  get width(): number {
    return this.#out.columns ?? 80
  }

  start(): void {
    this.#out.write('\u001b[?1049h\u001b[?25l')
  }

  /** Line by line and clearing behind each, so that nothing flickers. */
  draw(text: string): void {
    const lines = text.split('\n').slice(0, (this.#out.rows ?? 24) - 1)
    this.#out.write(`\u001b[H${lines.map((line) => `${line}\u001b[K\n`).join('')}\u001b[J`)
  }

  stop(last: string): void {
    this.#out.write(`\u001b[?25h\u001b[?1049l${last}\n`)
  }
}
