import type { SignInResult } from '@hypocaust/domain'
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '@hypocaust/domain/password'
import { useState } from 'react'
import { CodeForm } from '../account/code-form.tsx'
import { Doorstep } from '../account/doorstep.tsx'
import { EmailField } from '../account/email-field.tsx'
import { BASE } from '../api/base.ts'
import { ApiError, api } from '../api/http.ts'
import { forgetLastState } from '../api/last-state.ts'
import { queryClient, sessionQuery } from '../api/queries.ts'
import { useWords } from '../i18n/index.tsx'
import { Button, Field, Problem } from '../ui/basics.tsx'
import { useDeed } from '../ui/form.ts'
import { Form } from '../ui/form-element.tsx'

/** Where the link in the mail leads. What stands behind `#` was sent to nobody. */
export default function NewPasswordPage() {
  const { t } = useWords()
  const [given] = useState(() => new URLSearchParams(location.hash.slice(1)))
  const [next, setNext] = useState<'choose' | 'second_factor'>('choose')
  const entered = async (result: SignInResult) => {
    if (result.next === 'second_factor') return setNext('second_factor')
    history.replaceState(null, '', `${BASE}/`)
    await forgetLastState()
    await queryClient.resetQueries({ queryKey: sessionQuery.queryKey })
  }
  return (
    <Doorstep lead={t('new_password.lead')}>
      {next === 'second_factor' ? (
        <CodeForm onEntered={entered} />
      ) : (
        <ChooseForm email={given.get('email') ?? ''} token={given.get('token') ?? ''} onEntered={entered} />
      )}
    </Doorstep>
  )
}

interface ChooseProps {
  email: string
  token: string
  onEntered(result: SignInResult): Promise<void>
}

function ChooseForm({ email, token, onEntered }: ChooseProps) {
  const { t } = useWords()
  const { isBusy, problem, run } = useDeed()
  const [isTooOld, setTooOld] = useState(token === '')
  const choose = async (password: string, revokeKeys: boolean) => {
    try {
      await api('POST', '/password/reset', { token, password, revoke_keys: revokeKeys })
    } catch (error) {
      if (error instanceof ApiError && error.code === 'wrong_credentials') return setTooOld(true)
      throw error
    }
    await onEntered(await api<SignInResult>('POST', '/session', { email, password }))
  }
  if (isTooOld) {
    return (
      <div className="space-y-4">
        <Problem>{t('new_password.too_old')}</Problem>
        <Button className="w-full" onClick={() => location.assign(`${BASE}/`)}>
          {t('new_password.to_sign_in')}
        </Button>
      </div>
    )
  }
  return (
    <Form
      onSubmit={(values) => {
        const password = String(values.get('password'))
        const revokeKeys = values.get('revoke_keys') !== null
        void run(() => choose(password, revokeKeys))
      }}
    >
      <EmailField given={email} />
      <Field
        label={t('password.next')}
        hint={t('sign_in.password_hint', { n: MIN_PASSWORD_LENGTH })}
        name="password"
        type="password"
        autoComplete="new-password"
        minLength={MIN_PASSWORD_LENGTH}
        maxLength={MAX_PASSWORD_LENGTH}
        required
      />
      <label className="flex min-h-11 items-center gap-3">
        <input type="checkbox" name="revoke_keys" className="size-5 accent-ink" />
        {t('new_password.revoke_keys')}
      </label>
      {problem && <Problem>{problem}</Problem>}
      <Button type="submit" look="main" className="w-full" disabled={isBusy}>
        {t('new_password.set')}
      </Button>
    </Form>
  )
}
