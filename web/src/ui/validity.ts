import type { FormEvent } from 'react'
import { type Translate, useWords } from '../i18n/index.tsx'

/** Browsers complain in their own language; a field complains in the chosen one. */
export function useValidity() {
  const { t } = useWords()
  return {
    onInvalid: ({ currentTarget }: FormEvent<HTMLInputElement>) => {
      if (!currentTarget.validity.customError) currentTarget.setCustomValidity(complaint(currentTarget, t))
    },
    onInput: ({ currentTarget }: FormEvent<HTMLInputElement>) => currentTarget.setCustomValidity(''),
  }
}

function complaint({ validity, type, minLength, min, max }: HTMLInputElement, t: Translate): string {
  if (validity.valueMissing) return t('invalid.missing')
  if (type === 'url') return t('invalid.url')
  if (validity.typeMismatch) return t('invalid.email')
  if (validity.tooShort) return t('sign_in.password_hint', { n: minLength })
  if (validity.badInput) return t(type === 'number' ? 'invalid.number' : 'invalid.time')
  if (type !== 'number') return t('invalid.time')
  return t('invalid.range', { min, max })
}
