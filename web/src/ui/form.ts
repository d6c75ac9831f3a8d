import { useState } from 'react'
import { ApiError } from '../api/http.ts'
import { type Key, useWords } from '../i18n/index.tsx'
import { refusalOf } from './refusals.ts'

/** What a code means on one page, where that is more than it means elsewhere. */
type Special = Partial<Record<string, Key>>

/** Where somebody who is signed in types the password once more. */
export const WRONG_PASSWORD: Special = { wrong_credentials: 'problem.wrong_password' }

const KNOWN: Special = {
  offline: 'problem.offline',
  no_answer: 'problem.no_answer',
  wrong_credentials: 'problem.wrong_credentials',
  rate_limited: 'problem.rate_limited',
  sign_up_closed: 'problem.sign_up_closed',
  taken: 'problem.taken',
  quota_reached: 'problem.quota_reached',
  not_permitted: 'problem.not_permitted',
  awaits_confirmation: 'problem.awaits_confirmation',
  other_address: 'problem.other_address',
  last_owner: 'problem.last_owner',
  not_signed_in: 'problem.not_signed_in',
  not_found: 'problem.not_found',
  unknown_sensor: 'problem.unknown_sensor',
  internal_error: 'problem.internal_error',
  unavailable: 'problem.unavailable',
  passkey_refused: 'problem.passkey_refused',
}

/** A refusal in the reader's words. */
export function useProblemText(special: Special = {}): (error: unknown) => string {
  const { t } = useWords()
  return (error) => {
    if (!(error instanceof ApiError)) return t('problem.unknown')
    const key = special[error.code] ?? KNOWN[error.code]
    if (key) return t(key)
    const refusal = refusalOf(error.message)
    return t(refusal.key, { detail: refusal.detail ?? '' })
  }
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
