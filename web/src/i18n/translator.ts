import { messagesIn, type Values } from '@hypocaust/domain/facts'
import type { Catalogue, Key } from './catalogue.ts'

export type { Values }
export type Translate = (key: Key, values?: Values) => string

/** With the words that are there when it is asked: those of other pages are added later. */
export function translator(language: string, catalogue: Partial<Catalogue>): Translate {
  const fill = messagesIn(language)
  return (key, values) => fill(catalogue[key] ?? key, values)
}
