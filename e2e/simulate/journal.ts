import { createHash } from 'node:crypto'

export interface Violation {
  atMs: number
  law: string
  what: string
}

/** Everything that happened, as a hash, and what must not have happened. */
export class Journal {
  readonly #hash = createHash('sha256')
  readonly #nowMs: () => number
  readonly #print: ((line: string) => void) | undefined
  readonly violations: Violation[] = []

  constructor(nowMs: () => number, print?: (line: string) => void) {
    this.#nowMs = nowMs
    this.#print = print
  }

  note(line: string): void {
    const whole = `${this.#nowMs().toFixed(3)} ${line}`
    this.#hash.update(whole).update('\n')
    this.#print?.(whole)
  }

  violated(law: string, what: string): void {
    this.note(`VIOLATION ${law}: ${what}`)
    this.violations.push({ atMs: Math.round(this.#nowMs()), law, what })
  }

  digest(): string {
    return this.#hash.digest('hex').slice(0, 16)
  }
}
