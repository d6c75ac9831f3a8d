/** Finds what a typed name stands for. */
export type Match<T> =
  | { kind: 'one'; item: T }
  | { kind: 'several'; items: T[] }
  /** Names that differ by a slip of the finger: to be asked about, never taken. */
  | { kind: 'near'; items: T[] }
  | { kind: 'none' }

/**
 * From strict to lenient: the same text, the same but for case and accents, the beginning of a word. The first that
 * fits anything decides, and two that fit are asked about: the wrong room would go cold.
 */
export function matchName<T>(items: T[], nameOf: (item: T) => string, typed: string): Match<T> {
  const wanted = folded(typed)
  if (wanted === '') return { kind: 'none' }
  const tests: ((name: string) => boolean)[] = [
    (name) => name === typed,
    (name) => folded(name) === wanted,
    (name) => ` ${folded(name)}`.includes(` ${wanted}`),
  ]
  for (const test of tests) {
    const [first, ...rest] = items.filter((item) => test(nameOf(item)))
    if (first !== undefined)
      return rest.length === 0 ? { kind: 'one', item: first } : { kind: 'several', items: [first, ...rest] }
  }
  const isNear = (name: string) =>
    digits(name) === digits(typed) && distance(folded(name), wanted) <= slipsAllowed(wanted)
  const near = items.filter((item) => isNear(nameOf(item)))
  return near.length > 0 ? { kind: 'near', items: near } : { kind: 'none' }
}

/** Without case, accents and punctuation: `Küche (EG)` is `kuche eg`. */
export function folded(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ø', 'o')
    .replaceAll('æ', 'ae')
    .replace(/['’]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** Bedroom 2 is no misspelt Bedroom 3. */
const digits = (text: string): string => text.replace(/\P{N}+/gu, ' ').trim()

const slipsAllowed = ({ length }: string): number => (length < 4 ? 0 : length < 8 ? 1 : 2)

/** Letters left out, added, replaced, or two neighbours exchanged. */
export function distance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)]
  const at = (i: number, j: number) => rows[i]?.[j] ?? 0
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    rows.push(row)
    for (let j = 1; j <= b.length; j++) {
      const replaced = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isExchange = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row[j] = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, replaced, isExchange ? at(i - 2, j - 2) + 1 : replaced)
    }
  }
  return at(a.length, b.length)
}
