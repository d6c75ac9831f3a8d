import type { SignInResult } from '@hypocaust/domain'
import { api } from '../api/http.ts'
import { useWords } from '../i18n/index.tsx'
import { Button, Field, Problem } from '../ui/basics.tsx'
import { useDeed } from '../ui/form.ts'
import { Form } from '../ui/form-element.tsx'

/** The second step of signing in. */
export function CodeForm({ onEntered }: { onEntered(result: SignInResult): Promise<void> }) {
  const { t } = useWords()
  const { isBusy, problem, run } = useDeed()
  return (
    <Form
      onSubmit={(values) => {
        const code = String(values.get('code'))
        void run(async () => onEntered(await api<SignInResult>('POST', '/session/code', { code })))
      }}
    >
      <Field
        label={t('sign_in.code')}
        hint={t('sign_in.code_hint')}
        name="code"
        autoComplete="one-time-code"
        required
        maxLength={64}
        autoFocus
      />
      {problem && <Problem>{problem}</Problem>}
      <Button type="submit" look="main" className="w-full" disabled={isBusy}>
        {t('sign_in.enter')}
      </Button>
    </Form>
  )
}
