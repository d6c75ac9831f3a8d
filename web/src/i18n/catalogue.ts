import type { en } from './en.ts'

export type Key = keyof typeof en
export type Catalogue = Record<Key, string>
