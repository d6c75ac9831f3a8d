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
  const copy: Record<string, unknown> = {}
  const members: Record<string, string> = {}
  let text = ''
  for (const name in value) {
    const part = value[name]
    if (part === undefined) continue
    const isShared = before !== undefined && before.value[name] === part
    const member = isShared ? part : rounded(part)
    const memberText = (isShared && before.members[name]) || JSON.stringify(member)
    copy[name] = member
    members[name] = memberText
    text += `${text === '' ? '{' : ','}${nameText(name)}:${memberText}`
  }
  return { text: text === '' ? '{}' : `${text}}`, value: copy as T, members }
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
  const copy: Record<string, unknown> = {}
  const members = part as Record<string, unknown>
  for (const name in members) if (members[name] !== undefined) copy[name] = rounded(members[name])
  return copy
}

/** Several times as fast as a text with so many digits that is read again. JSON has no negative zero. */
function withKeptDigits(value: number): number {
  if (Number.isInteger(value)) return value + 0
  const scale = 10 ** (KEPT_DIGITS - 1 - Math.floor(Math.log10(Math.abs(value))))
  const rounded = Math.round(value * scale) / scale
  return Number.isFinite(rounded) ? rounded + 0 : value
}
