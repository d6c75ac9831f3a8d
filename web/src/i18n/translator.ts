import type { Catalogue, Key } from './catalogue.ts'

export type Values = Record<string, string | number>
export type Translate = (key: Key, values?: Values) => string

/** With the words that are there when it is asked: those of other pages are added later. */
export const translator =
  (catalogue: Partial<Catalogue>): Translate =>
  (key, values = {}) =>
    (catalogue[key] ?? key).replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole))
