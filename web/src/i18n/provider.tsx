import { type ReactNode, useMemo, useState } from 'react'
import type { Key } from './catalogue.ts'
import { formatsFor } from './formats.ts'
import { type PluralStem, recalled, remember, WordsContext } from './index.tsx'
import { CATALOGUES, type Language, translator, type Values } from './translator.ts'
import { UNITS, type Unit } from './units.ts'

export function WordsProvider({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useState(initialLanguage)
  const [unit, setUnit] = useState(initialUnit)
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
      setUnit: (next: Unit) => {
        remember('unit', next)
        setUnit(next)
      },
      format: formatsFor(language, t, unit),
    }
  }, [language, unit])
  return <WordsContext value={words}>{children}</WordsContext>
}

function initialLanguage(): Language {
  const wished = [recalled('language'), ...(navigator.languages ?? [])].map((tag) => tag?.slice(0, 2))
  return (wished.find((tag) => tag !== undefined && tag in CATALOGUES) as Language | undefined) ?? 'en'
}

const initialUnit = (): Unit => UNITS.find((unit) => unit === recalled('unit')) ?? 'C'
