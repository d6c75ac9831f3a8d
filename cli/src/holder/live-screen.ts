import { cut } from './text-width.ts'

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

  /** Line by line and clearing behind each, so that nothing flickers. The footer is there however low the screen is. */
  draw(text: string, footer: string): void {
    const heightForText = Math.max(0, (this.#out.rows ?? 24) - 3)
    const lines = [...fitting(text.split('\n'), heightForText), '', cut(footer, this.width)]
    this.#out.write(`\u001b[H${lines.map((line) => `${line}\u001b[K\n`).join('')}\u001b[J`)
  }

  stop(last: string): void {
    this.#out.write(`\u001b[?25h\u001b[?1049l${last}\n`)
  }
}

/** What is left out is counted, so that no room seems to be missing. */
function fitting(lines: string[], height: number): string[] {
  if (lines.length <= height || height === 0) return lines.slice(0, height)
  const kept = lines.slice(0, height - 1)
  return [...kept, `… ${lines.length - kept.length} more lines`]
}
