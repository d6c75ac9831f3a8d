import { HypocaustError } from './error.ts'
import { REQUIRED_FIELDS } from './generated/required-fields.ts'

/** What an answer must be, seen from afar: one thing or a list of them, with all fields that are never missing. */
export interface Shape {
  of: keyof typeof REQUIRED_FIELDS
  as?: 'list' | 'one or null'
}

/** Another program, or an older service, may answer with JSON too. */
export function checkShape(value: unknown, { of, as }: Shape, url: string): void {
  const problem = as === 'list' ? problemOfList(value, of) : as && value === null ? undefined : problemOf(value, of)
  if (problem !== undefined)
    throw new HypocaustError('unexpected_answer', `The answer of ${url} is not as described: ${problem}.`)
}

function problemOfList(value: unknown, of: Shape['of']): string | undefined {
  if (!Array.isArray(value)) return 'it is not a list'
  return value.map((each) => problemOf(each, of)).find((problem) => problem !== undefined)
}

function problemOf(value: unknown, of: Shape['of']): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return `${of} is not an object`
  const missing = REQUIRED_FIELDS[of].find((field) => !Object.hasOwn(value, field))
  return missing === undefined ? undefined : `${of} has no ${missing}`
}
