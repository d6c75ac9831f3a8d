import { type ReactNode, useMemo, useState } from 'react'
import type { Key } from './catalogue.ts'
import { formatsFor } from './formats.ts'
import { type PluralStem, WordsContext } from './index.tsx'
import { type Language, languageRead, readIn, wordsIn } from './languages.ts'
import { recalled, remember } from './recall.ts'
import { translator, type Values } from './translator.ts'
import { UNITS, type Unit } from './units.ts'

export function WordsProvider({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useState(languageRead)
  const [unit, setUnit] = useState(initialUnit)
  const words = useMemo(() => {
    document.documentElement.lang = language
    const t = translator(wordsIn(language))
    const plural = new Intl.PluralRules(language)
    return {
      t,
      count: (stem: PluralStem, n: number, values: Values = {}) =>
        t(`${stem}_${plural.select(n) === 'one' ? 'one' : 'other'}` as Key, { n, ...values }),
      language,
      setLanguage: (next: Language) => {
        remember('language', next)
        void readIn(next).then(() => setLanguage(next))
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

const initialUnit = (): Unit => UNITS.find((unit) => unit === recalled('unit')) ?? 'C'
