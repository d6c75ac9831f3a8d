import type { Catalogue, Key } from './catalogue.ts'
import { de } from './de.ts'
import { en } from './en.ts'

export type Values = Record<string, string | number>
export type Translate = (key: Key, values?: Values) => string

export const CATALOGUES = { en, de } satisfies Record<string, Catalogue>
export type Language = keyof typeof CATALOGUES

export function translator(language: Language): Translate {
  const catalogue: Catalogue = CATALOGUES[language]
  return (key, values = {}) => catalogue[key].replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole))
}
