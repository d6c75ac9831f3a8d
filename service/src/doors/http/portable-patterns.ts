import { NAME_PATTERN } from '@hypocaust/domain'

/** The part of each rule that every engine can read: classes of Unicode have another form in each, or none. */
const PORTABLE: Record<string, string> = { [NAME_PATTERN]: '^\\s*\\S[\\s\\S]*$' }

/** A document that readers in any language can load; what a pattern leaves out stands in the description. */
export function withPortablePatterns<T extends object>(document: T): T {
  const text = JSON.stringify(document, (key, value) =>
    key === 'pattern' ? (PORTABLE[String(value)] ?? value) : value,
  )
  return JSON.parse(text) as T
}
