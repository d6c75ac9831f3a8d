import type { Key } from '../i18n/catalogue.ts'
import type { Translate } from '../i18n/translator.ts'
import { refusalOf } from './refusals.ts'

/** What a code means on one page, where that is more than it means elsewhere. */
export type Special = Partial<Record<string, Key>>

/** Where a person who is signed in types the password once more. */
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

/** A refusal of the service in the reader's words: never the English of the service. */
export function problemInWords(
  { code, message }: { code: string; message: string },
  t: Translate,
  special: Special = {},
): string {
  const key = special[code] ?? KNOWN[code]
  if (key) return t(key)
  const refusal = refusalOf(message)
  return t(refusal.key, { detail: refusal.detail ?? '' })
}
