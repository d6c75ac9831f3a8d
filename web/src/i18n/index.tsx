import { createContext, type ReactNode, use, useMemo, useState } from 'react'
import type { Key } from './catalogue.ts'
import { type Formats, formatsFor } from './formats.ts'
import { CATALOGUES, type Language, type Translate, translator, type Values } from './translator.ts'

export type { Key } from './catalogue.ts'
export { CATALOGUES, type Language, type Translate, translator, type Values } from './translator.ts'

interface Words {
  t: Translate
  /** The form for one or for many: keys `x_one` and `x_other`. */
  count(key: PluralStem, n: number, values?: Values): string
  language: Language
  setLanguage(language: Language): void
  format: Formats
}

type PluralStem = Key extends infer K ? (K extends `${infer Stem}_one` ? Stem : never) : never

const WordsContext = createContext<Words | undefined>(undefined)

export function WordsProvider({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useState(initialLanguage)
  const words = useMemo(() => {
    document.documentElement.lang = language
    const t = translator(language)
    const plural = new Intl.PluralRules(language)
    return {
      t,
      count: (stem: PluralStem, n: number, values: Values = {}) =>
        t(`${stem}_${plural.select(n) === 'one' ? 'one' : 'other'}` as Key, { n, ...values }),
      language,
      setLanguage: (next: Language) => {
        remember('language', next)
        setLanguage(next)
      },
      format: formatsFor(language, t),
    }
  }, [language])
  return <WordsContext value={words}>{children}</WordsContext>
}

export function useWords(): Words {
  const words = use(WordsContext)
  if (!words) throw new Error('outside of WordsProvider')
  return words
}

function initialLanguage(): Language {
  const wished = [recalled('language'), ...navigator.languages].map((tag) => tag?.slice(0, 2))
  return (wished.find((tag) => tag !== undefined && tag in CATALOGUES) as Language | undefined) ?? 'en'
}

export function remember(name: string, value: string): void {
  try {
    localStorage.setItem(name, value)
  } catch {
    // Storage can be forbidden; the choice then lasts as long as the page.
  }
}

export function recalled(name: string): string | undefined {
  try {
    return localStorage.getItem(name) ?? undefined
  } catch {
    return undefined
  }
}
