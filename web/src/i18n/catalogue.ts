import type { ALERT_WORDS } from '@hypocaust/domain/alert-words'
import type own from './words/en.json'

export type Key = keyof typeof own | Extract<keyof (typeof ALERT_WORDS)['en'], `alert.${string}`>
export type Catalogue = Record<Key, string>
