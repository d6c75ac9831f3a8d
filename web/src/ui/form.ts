import { useState } from 'react'
import { ApiError } from '../api/http.ts'
import { useWords } from '../i18n/index.tsx'
import { problemInWords, type Special } from './problem-words.ts'

/** A refusal in the reader's words. */
export function useProblemText(special: Special = {}): (error: unknown) => string {
  const { t } = useWords()
  return (error) => (error instanceof ApiError ? problemInWords(error, t, special) : t('problem.unknown'))
}

/** The state of one deed: under way, failed and why. */
export function useDeed(special?: Special) {
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const text = useProblemText(special)
  const run = async (deed: () => Promise<unknown>): Promise<boolean> => {
    setBusy(true)
    setProblem(undefined)
    try {
      await deed()
      return true
    } catch (error) {
      setProblem(text(error))
      return false
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, problem, run }
}
