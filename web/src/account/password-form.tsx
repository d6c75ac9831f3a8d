import type { SignInResult } from '@hypocaust/domain'
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '@hypocaust/domain/password'
import { api } from '../api/http.ts'
import { useWords } from '../i18n/index.tsx'
import { missingForPasskeys } from '../ui/abilities.ts'
import { Button, Field, Problem } from '../ui/basics.tsx'
import { useDeed } from '../ui/form.ts'
import { Form } from '../ui/form-element.tsx'
import { EmailField } from './email-field.tsx'

interface Props {
  isNew: boolean
  /** The address is given. */
  email?: string | null
  /** The new account accepts it. */
  invitation?: string
  /** What the button says. */
  action?: string
  onEntered(result: SignInResult): unknown
  onForgotten?: () => void
}

/** E-mail address and password: of an account, or for a new one. */
export function PasswordForm({ isNew, email, invitation, action, onEntered, onForgotten }: Props) {
  const { t } = useWords()
  const { isBusy, problem, run } = useDeed()
  const submit = (form: FormData) =>
    run(async () => {
      const body = { email: String(form.get('email')).trim(), password: String(form.get('password')) }
      const account = { ...body, ...(invitation !== undefined && { invitation }) }
      await onEntered(await api<SignInResult>('POST', isNew ? '/accounts' : '/session', account))
    })
  return (
    <div className="space-y-4">
      <Form onSubmit={(values) => submit(values)}>
        <EmailField given={email} />
        <Field
          label={t('sign_in.password')}
          name="password"
          type="password"
          autoComplete={isNew ? 'new-password' : 'current-password'}
          required
          maxLength={MAX_PASSWORD_LENGTH}
          {...(isNew && {
            minLength: MIN_PASSWORD_LENGTH,
            hint: t('sign_in.password_hint', { n: MIN_PASSWORD_LENGTH }),
          })}
        />
        {problem && <Problem>{problem}</Problem>}
        <Button type="submit" look="main" className="w-full" disabled={isBusy}>
          {action ?? t(isNew ? 'sign_in.create' : 'sign_in.enter')}
        </Button>
      </Form>
      {!isNew && missingForPasskeys() === undefined && (
        <Button
          icon="key"
          className="w-full"
          disabled={isBusy}
          onClick={() =>
            run(async () => {
              const { signInWithPasskey } = await import('../api/passkeys.ts')
              await onEntered(await signInWithPasskey())
            })
          }
        >
          {t('sign_in.passkey')}
        </Button>
      )}
      {!isNew && onForgotten && (
        <Button look="quiet" className="w-full" onClick={onForgotten}>
          {t('forgotten.title')}
        </Button>
      )}
      {!isNew && !onForgotten && <p className="text-center text-sm text-soft">{t('sign_in.forgotten')}</p>}
    </div>
  )
}
