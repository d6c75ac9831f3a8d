import { isSameList } from '../../base/same-list.ts'

/** A state holds many numbers; beyond this many digits they say nothing. */
const KEPT_DIGITS = 7

/** What the next value is compacted with. */
export interface Compacted<T> {
  /** What reading the text gives. Its members must not be changed: a later value may share them. */
  value: T
  stayed: Stayed
}

/** The members that are the same as in the value before, and their text without brackets. */
interface Stayed {
  names: string[]
  text: string
}

/** A value as a short JSON text. Members that it shares with the one before are not looked at again. */
export function compact<T extends object>(value: T, before?: Compacted<T>): { text: string; compacted: Compacted<T> } {
  // A copy of the whole keeps its shape, which one made member by member has not.
  const copy = { ...value }
  const names: (keyof T & string)[] = []
  const others: Record<string, unknown> = {}
  for (const name in value) {
    const part = value[name]
    if (part === undefined) {
      delete copy[name]
    } else if (before?.value[name] === part && typeof part === 'object') {
      names.push(name)
    } else {
      copy[name] = rounded(part) as typeof part
      others[name] = copy[name]
    }
  }
  const stayed = before && isSameList(before.stayed.names, names) ? before.stayed : stayedOf(copy, names)
  const text = inner(others)
  const comma = text === '' || stayed.text === '' ? '' : ','
  // A text that was added up would be made whole where it crosses to another thread, among the objects that stay.
  return { text: ['{', text, comma, stayed.text, '}'].join(''), compacted: { value: copy, stayed } }
}

const stayedOf = <T extends object>(value: T, names: (keyof T & string)[]): Stayed => ({
  names,
  text: inner(Object.fromEntries(names.map((name) => [name, value[name]]))),
})

const inner = (value: object): string => JSON.stringify(value).slice(1, -1)

/** A copy first: JSON with a function for each part takes several times as long. */
function rounded(part: unknown): unknown {
  if (typeof part === 'number') return Number.isFinite(part) ? withKeptDigits(part) : null
  if (typeof part !== 'object' || part === null) return part
  if (Array.isArray(part)) return roundedList(part)
  const copy: Record<string, unknown> = { ...part }
  for (const name in copy) {
    const member = copy[name]
    if (member === undefined) delete copy[name]
    else copy[name] = rounded(member)
  }
  return copy
}

/** A copy that is changed in place stays a list of plain numbers, where it is one. */
function roundedList(list: unknown[]): unknown[] {
  const copy = [...list]
  for (let i = 0; i < copy.length; i++) copy[i] = rounded(copy[i]) ?? null
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
