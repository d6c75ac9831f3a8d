import type { SignInResult } from '@hypocaust/domain'
import { api } from '../api/http.ts'
import { useWords } from '../i18n/index.tsx'
import { Button, Field, Problem } from '../ui/basics.tsx'
import { useDeed } from '../ui/form.ts'

/** The second step of signing in. */
export function CodeForm({ onEntered }: { onEntered(result: SignInResult): Promise<void> }) {
  const { t } = useWords()
  const { isBusy, problem, run } = useDeed()
  return (
    <form
      className="space-y-4"
      onSubmit={(event) => {
        event.preventDefault()
        const code = String(new FormData(event.currentTarget).get('code'))
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
    </form>
  )
}
