// Without the catalogues and their provider, so that development reloads neither page nor components for a new text.
import { createContext, use } from 'react'
import type { Wording } from './formats.ts'
import type { Language } from './languages.ts'
import type { Unit } from './units.ts'

export type { Key } from './catalogue.ts'
export type { Language } from './languages.ts'
export type { Translate, Values } from './translator.ts'
export type { Unit } from './units.ts'

export interface Words extends Wording {
  language: Language
  setLanguage(language: Language): void
  setUnit(unit: Unit): void
}

export const WordsContext = createContext<Words | undefined>(undefined)

export function useWords(): Words {
  const words = use(WordsContext)
  if (!words) throw new Error('outside of WordsProvider')
  return words
}
