// Without the catalogues and their provider, so that development reloads neither page nor components for a new text.
import { createContext, use } from 'react'
import type { Key } from './catalogue.ts'
import type { Wording } from './formats.ts'
import type { Language } from './languages.ts'
import type { Values } from './translator.ts'
import type { Unit } from './units.ts'

export type { Key } from './catalogue.ts'
export type { Language } from './languages.ts'
export type { Translate, Values } from './translator.ts'
export type { Unit } from './units.ts'

export interface Words extends Wording {
  /** The form for one or for many: keys `x_one` and `x_other`. */
  count(key: PluralStem, n: number, values?: Values): string
  language: Language
  setLanguage(language: Language): void
  setUnit(unit: Unit): void
}

export type PluralStem = Key extends infer K ? (K extends `${infer Stem}_one` ? Stem : never) : never

export const WordsContext = createContext<Words | undefined>(undefined)

export function useWords(): Words {
  const words = use(WordsContext)
  if (!words) throw new Error('outside of WordsProvider')
  return words
}
