import type { AccountRemoval } from '@hypocaust/domain'
import { useState } from 'react'
import { BASE } from '../api/base.ts'
import { api } from '../api/http.ts'
import { signedOut } from '../api/signed-out.ts'
import { useWords } from '../i18n/index.tsx'
import { Button, Problem, Section } from '../ui/basics.tsx'
import { useDeed } from '../ui/form.ts'
import { Icon } from '../ui/icon.tsx'
import { WRONG_PASSWORD } from '../ui/problem-words.ts'
import { PasswordDialog } from './password-dialog.tsx'

/** A copy of everything, and the end of the account. */
export function OwnData() {
  const { t } = useWords()
  const { isBusy, problem, run } = useDeed(WRONG_PASSWORD)
  const [removal, setRemoval] = useState<AccountRemoval>()
  const ask = () => run(async () => setRemoval(await api('GET', '/account/removal')))
  const remove = (password: string) =>
    run(async () => {
      await api('POST', '/account/removal', { password })
      await signedOut()
    })
  return (
    <Section title={t('own_data.title')}>
      <p className="text-sm text-soft">{t('own_data.text')}</p>
      <div className="flex flex-wrap gap-2">
        <a
          className="inline-flex min-h-11 items-center gap-2 rounded-xl border border-edge px-4 font-medium hover:bg-sunken"
          href={`${BASE}/app/account/archive`}
          download="hypocaust.zip"
        >
          <Icon name="download" className="size-5" />
          {t('own_data.download')}
        </a>
        <Button look="danger" onClick={ask} disabled={isBusy}>
          {t('own_data.remove')}
        </Button>
      </div>
      {!removal && problem && <Problem>{problem}</Problem>}
      {removal && (
        <PasswordDialog
          title={t('own_data.remove')}
          problem={problem}
          isBusy={isBusy}
          onPassword={remove}
          onClose={() => setRemoval(undefined)}
        >
          <div className="space-y-2">
            <p>{t('own_data.gone')}</p>
            {removal.removed.length > 0 && <p>{t('own_data.removed', { names: removal.removed.join(', ') })}</p>}
            {removal.left.length > 0 && <p>{t('own_data.left', { names: removal.left.join(', ') })}</p>}
          </div>
        </PasswordDialog>
      )}
    </Section>
  )
}
