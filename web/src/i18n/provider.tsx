import { type ReactNode, useMemo, useState } from 'react'
import { formatsFor } from './formats.ts'
import { WordsContext } from './index.tsx'
import { type Language, languageRead, readIn, wordsIn } from './languages.ts'
import { recalled, remember } from './recall.ts'
import { translator } from './translator.ts'
import { UNITS, type Unit } from './units.ts'

export function WordsProvider({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useState(languageRead)
  const [unit, setUnit] = useState(initialUnit)
  const words = useMemo(() => {
    document.documentElement.lang = language
    const t = translator(language, wordsIn(language))
    return {
      t,
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
