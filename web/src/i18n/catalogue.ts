import type { first } from './en/first.ts'
import type { others } from './en/others.ts'

export type Key = keyof typeof first | keyof typeof others
export type Catalogue = Record<Key, string>
