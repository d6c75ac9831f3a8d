import type { WordKey } from '@hypocaust/domain/words'
import type own from './words/en.json'

export type Key = keyof typeof own | Extract<WordKey, `${'alert' | 'cause'}.${string}` | 'diagnosis.probably'>
export type Catalogue = Record<Key, string>
