import type { SessionState, SignInResult } from '@hypocaust/domain'
import { useEffect, useState } from 'react'
import { CodeForm } from '../account/code-form.tsx'
import { Doorstep } from '../account/doorstep.tsx'
import { EmailField } from '../account/email-field.tsx'
import { PasswordForm } from '../account/password-form.tsx'
import { api } from '../api/http.ts'
import { forgetLastState } from '../api/last-state.ts'
import { queryClient, sessionQuery } from '../api/queries.ts'
import { useWords } from '../i18n/index.tsx'
import { Button, Problem } from '../ui/basics.tsx'
import { useDeed } from '../ui/form.ts'
import { Form } from '../ui/form-element.tsx'

type Door = 'sign_in' | 'sign_up' | 'code' | 'forgotten'

/** The door. At the very first start it offers to create the owner. */
export default function SignInPage(props: { signUp: SessionState['sign_up']; resetByMail: boolean }) {
  const { signUp, resetByMail } = props
  const { t } = useWords()
  const [door, setDoor] = useState<Door>(signUp === 'owner' ? 'sign_up' : 'sign_in')
  // On this page nobody is signed in, also where the session was ended from elsewhere while no page was open.
  useEffect(() => void forgetLastState(), [])
  const entered = async (result: SignInResult) => {
    if (result.next === 'second_factor') return setDoor('code')
    // A slow answer would be replaced by what is kept, and that says: signed out.
    await forgetLastState()
    await queryClient.resetQueries({ queryKey: sessionQuery.queryKey })
  }
  return (
    <Doorstep lead={t(signUp === 'owner' ? 'sign_in.first' : 'sign_in.lead')}>
      {door === 'code' && <CodeForm onEntered={entered} />}
      {door === 'forgotten' && <ForgottenForm onBack={() => setDoor('sign_in')} />}
      {(door === 'sign_in' || door === 'sign_up') && (
        <PasswordForm
          isNew={door === 'sign_up'}
          onEntered={entered}
          {...(resetByMail && { onForgotten: () => setDoor('forgotten') })}
        />
      )}
      {signUp === 'open' && (door === 'sign_in' || door === 'sign_up') && (
        <Button look="quiet" onClick={() => setDoor(door === 'sign_in' ? 'sign_up' : 'sign_in')}>
          {t(door === 'sign_in' ? 'sign_in.create_instead' : 'sign_in.sign_in_instead')}
        </Button>
      )}
    </Doorstep>
  )
}

/** Says the same whether there is such an account or not. */
function ForgottenForm({ onBack }: { onBack(): void }) {
  const { t, language } = useWords()
  const { isBusy, problem, run } = useDeed()
  const [isAsked, setAsked] = useState(false)
  const submit = async (form: FormData) => {
    const email = String(form.get('email')).trim()
    setAsked(await run(() => api('POST', '/password/forgotten', { email, language })))
  }
  return (
    <Form onSubmit={(values) => submit(values)}>
      <p className="text-soft">{t('forgotten.text')}</p>
      <EmailField />
      {problem && <Problem>{problem}</Problem>}
      <p role="status">{isAsked ? t('forgotten.asked') : ''}</p>
      <Button type="submit" look="main" className="w-full" disabled={isBusy}>
        {t('forgotten.send')}
      </Button>
      <Button look="quiet" className="w-full" onClick={onBack}>
        {t('back')}
      </Button>
    </Form>
  )
}
