import { type Random, seededRandom } from '@hypocaust/simulator'

const NASTY_TEXTS = [
  '',
  ' ',
  '\u0000',
  '\u202e\u200b',
  '\ud800',
  '__proto__',
  'constructor',
  "'; drop table rooms; --",
  '../../etc/passwd',
  '%00%2e%2e%2f',
  '%ff',
  '<script>',
  '{{7*7}}',
  'null',
  'NaN',
  '1e999',
  '-1',
  '\r\nX-Injected: 1',
  '𝕳𝖊𝖆𝖙',
  'x'.repeat(300),
  '2026-02-30T00:00:00Z',
  '+275760-09-13T00:00:00.000Z',
  '00000000-0000-0000-0000-000000000000',
]
const NASTY_VALUES = [
  null,
  true,
  false,
  0,
  -0,
  -1,
  1,
  1e308,
  2 ** 53,
  0.1,
  [],
  {},
  [[]],
  { a: { a: {} } },
  [null, null],
]

/** Seeded choices. */
export class Chance {
  readonly #random: Random

  constructor(seed: number) {
    this.#random = seededRandom(seed)
  }

  one(probability: number): boolean {
    return this.#random.uniform() < probability
  }

  below(count: number): number {
    return Math.floor(this.#random.uniform() * count)
  }

  pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)] as T
  }

  text(): string {
    if (this.one(0.6)) return this.pick(NASTY_TEXTS)
    return String.fromCodePoint(...Array.from({ length: this.below(12) }, () => this.below(0xd7ff)))
  }

  value(): unknown {
    return this.one(0.5) ? this.text() : this.pick(NASTY_VALUES)
  }

  bytes(most: number): Buffer {
    return Buffer.from(Array.from({ length: this.below(most) }, () => this.below(256)))
  }

  /** Some bytes changed, cut or repeated. */
  spoiled(bytes: Buffer): Buffer {
    const copy = Buffer.from(bytes)
    for (let flips = 1 + this.below(4); flips > 0 && copy.length > 0; flips--)
      copy[this.below(copy.length)] = this.below(256)
    if (this.one(0.2)) return copy.subarray(0, this.below(copy.length + 1))
    return this.one(0.1) ? Buffer.concat([copy, copy]) : copy
  }

  /** Lines of a text dropped, doubled, swapped, or with something else in them. */
  spoiledText(text: string): string {
    const lines = text.split('\n')
    for (let changes = 1 + this.below(4); changes > 0; changes--) {
      const at = this.below(lines.length)
      const line = lines[at] ?? ''
      const other = this.below(lines.length)
      const changed = [
        [],
        [line, line],
        [lines[other] ?? ''],
        [line.replace(/[^\s:]+$/, () => this.text())],
        [line.slice(0, this.below(line.length + 1))],
        [' '.repeat(this.below(6)) + line.trim()],
        [`${line} &a *a`],
        [`${line}: ${JSON.stringify(this.value())}`],
      ]
      lines.splice(at, 1, ...this.pick(changed))
    }
    return lines.join('\n')
  }
}
