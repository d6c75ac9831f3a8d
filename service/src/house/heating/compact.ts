/** A state holds many numbers; beyond this many digits they say nothing. */
const KEPT_DIGITS = 7

export interface Compacted<T> {
  text: string
  /** What reading the text gives. Its members must not be changed: a later value may share them. */
  value: T
  /** The text of each member. */
  members: Record<string, string>
}

/** A value as a short JSON text. Members that it shares with the one before are not looked at again. */
export function compact<T extends object>(value: T, before?: Compacted<T>): Compacted<T> {
  // A copy of the whole keeps its shape, which one made member by member has not.
  const copy = { ...value }
  const members = { ...before?.members }
  let text = ''
  for (const name in value) {
    const part = value[name]
    if (part === undefined) {
      delete copy[name]
      continue
    }
    if (before === undefined || before.value[name] !== part || members[name] === undefined) {
      const member = rounded(part) as typeof part
      copy[name] = member
      members[name] = JSON.stringify(member)
    }
    text += `${text === '' ? '{' : ','}${nameText(name)}:${members[name]}`
  }
  return { text: text === '' ? '{}' : `${text}}`, value: copy, members }
}

const nameTexts = new Map<string, string>()

/** The same few names come again and again. */
function nameText(name: string): string {
  const known = nameTexts.get(name)
  if (known !== undefined) return known
  const text = JSON.stringify(name)
  nameTexts.set(name, text)
  return text
}

/** A copy first: JSON with a function for each part takes several times as long. */
function rounded(part: unknown): unknown {
  if (typeof part === 'number') return Number.isFinite(part) ? withKeptDigits(part) : null
  if (typeof part !== 'object' || part === null) return part
  if (Array.isArray(part)) return part.map((each) => rounded(each) ?? null)
  const copy: Record<string, unknown> = { ...part }
  for (const name in copy) {
    const member = copy[name]
    if (member === undefined) delete copy[name]
    else copy[name] = rounded(member)
  }
  return copy
}

/** Several times as fast as a text with so many digits that is read again. JSON has no negative zero. */
function withKeptDigits(value: number): number {
  if (Number.isInteger(value)) return value + 0
  const scale = scaleFor(KEPT_DIGITS - 1 - Math.floor(Math.log10(Math.abs(value))))
  const rounded = Math.round(value * scale) / scale
  return Number.isFinite(rounded) ? rounded + 0 : value
}

const USUAL_SCALES = Array.from({ length: 2 * KEPT_DIGITS }, (_, power) => 10 ** power)

const scaleFor = (power: number): number => USUAL_SCALES[power] ?? 10 ** power
