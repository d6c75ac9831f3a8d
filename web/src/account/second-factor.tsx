import type { TotpSetUp } from '@hypocaust/domain'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api/http.ts'
import { queryClient, sessionQuery } from '../api/queries.ts'
import { useWords } from '../i18n/index.tsx'
import { Button, Field, Problem, Section } from '../ui/basics.tsx'
import { CopyField } from '../ui/copy-field.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { useDeed } from '../ui/form.ts'
import { Form } from '../ui/form-element.tsx'
import { Picture } from '../ui/picture.tsx'
import { WRONG_PASSWORD } from '../ui/problem-words.ts'
import { PasswordDialog } from './password-dialog.tsx'

/** A code from an authenticator app, beside the password. */
export function SecondFactor() {
  const { t } = useWords()
  const isOn = useQuery(sessionQuery).data?.account?.two_factor ?? false
  const [isAsking, setAsking] = useState(false)
  const [setUp, setSetUp] = useState<TotpSetUp>()
  return (
    <Section title={t('totp.title')}>
      <p className="text-sm text-soft">{t(isOn ? 'totp.on' : 'totp.off')}</p>
      <Button onClick={() => setAsking(true)}>{t(isOn ? 'totp.disable' : 'totp.enable')}</Button>
      {isAsking && <AskPassword isOn={isOn} onSetUp={setSetUp} onClose={() => setAsking(false)} />}
      {setUp && <ShowSecret setUp={setUp} onClose={() => setSetUp(undefined)} />}
    </Section>
  )
}

interface AskProps {
  isOn: boolean
  onSetUp(setUp: TotpSetUp): void
  onClose(): void
}

function AskPassword({ isOn, onSetUp, onClose }: AskProps) {
  const { t } = useWords()
  const { isBusy, problem, run } = useDeed(WRONG_PASSWORD)
  const submit = async (password: string) => {
    const done = await run(async () => {
      if (isOn) await api('POST', '/totp/disable', { password })
      else onSetUp(await api<TotpSetUp>('POST', '/totp', { password }))
      await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })
    })
    if (done) onClose()
  }
  return (
    <PasswordDialog
      title={t(isOn ? 'totp.disable' : 'totp.enable')}
      problem={problem}
      isBusy={isBusy}
      onPassword={submit}
      onClose={onClose}
    />
  )
}

function ShowSecret({ setUp, onClose }: { setUp: TotpSetUp; onClose(): void }) {
  const { t } = useWords()
  const { isBusy, problem, run } = useDeed()
  const confirm = async (code: string) => {
    const done = await run(async () => {
      await api('POST', '/totp/confirm', { code })
      await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })
    })
    if (done) onClose()
  }
  const secret = new URL(setUp.uri).searchParams.get('secret') ?? ''
  return (
    <Dialog title={t('totp.enable')} onClose={onClose}>
      <p>{t('totp.scan')}</p>
      <Picture svg={setUp.qr} label={t('totp.qr')} />
      <CopyField label={t('totp.secret')} value={secret} />
      <CopyField label={t('totp.backup')} value={setUp.backup_codes.join('\n')} />
      <Form onSubmit={(values) => confirm(String(values.get('code')))}>
        <Field
          label={t('totp.code')}
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          maxLength={6}
        />
        {problem && <Problem>{problem}</Problem>}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" look="main" disabled={isBusy}>
            {t('totp.confirm')}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
