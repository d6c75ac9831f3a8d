import type { SessionEntry } from '@hypocaust/domain'
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '@hypocaust/domain/password'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { OwnData } from '../account/own-data.tsx'
import { PasswordDialog } from '../account/password-dialog.tsx'
import { SecondFactor } from '../account/second-factor.tsx'
import { api } from '../api/http.ts'
import { serviceNow, useNow } from '../api/now.ts'
import { keysQuery, passkeysQuery, queryClient, sessionsQuery } from '../api/queries.ts'
import { signedOut } from '../api/signed-out.ts'
import { useCommonZone } from '../api/zone.ts'
import { useWords } from '../i18n/index.tsx'
import { Link } from '../routing/link.tsx'
import { missingForPasskeys, type PasskeyNeed } from '../ui/abilities.ts'
import { Awaited } from '../ui/awaited.tsx'
import { Button, Column, Columns, Field, PageTitle, Problem, Section } from '../ui/basics.tsx'
import { deviceInWords } from '../ui/device.ts'
import { useDeed } from '../ui/form.ts'
import { Form } from '../ui/form-element.tsx'
import { WRONG_PASSWORD } from '../ui/problem-words.ts'

export default function SecurityPage() {
  const { t } = useWords()
  const missing = missingForPasskeys()
  return (
    <div className="space-y-4">
      <PageTitle back={{ to: '/settings' }}>{t('security.title')}</PageTitle>
      <Columns>
        <Column>
          <Password />
          {missing ? <NoPasskeys missing={missing} /> : <Passkeys />}
        </Column>
        <Column>
          <SecondFactor />
          <Sessions />
          <OwnData />
        </Column>
      </Columns>
    </div>
  )
}

function Password() {
  const { t } = useWords()
  const { isBusy, problem, run } = useDeed(WRONG_PASSWORD)
  const [isDone, setDone] = useState(false)
  const submit = async (element: HTMLFormElement) => {
    const form = new FormData(element)
    const body = { current: String(form.get('current')), next: String(form.get('next')) }
    setDone(false)
    if (!(await run(() => api('PUT', '/password', body)))) return
    setDone(true)
    element.reset()
    await queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey })
  }
  return (
    <Section title={t('password.title')}>
      <Form onSubmit={(_values, form) => submit(form)}>
        <Field label={t('password.current')} name="current" type="password" autoComplete="current-password" required />
        <Field
          label={t('password.next')}
          hint={t('sign_in.password_hint', { n: MIN_PASSWORD_LENGTH })}
          name="next"
          type="password"
          autoComplete="new-password"
          minLength={MIN_PASSWORD_LENGTH}
          maxLength={MAX_PASSWORD_LENGTH}
          required
        />
        {problem && <Problem>{problem}</Problem>}
        <div className="flex items-center gap-3">
          <Button type="submit" disabled={isBusy}>
            {t('password.change')}
          </Button>
          <span role="status">{isDone ? t('password.changed') : ''}</span>
        </div>
        {isDone && <StillOpen />}
      </Form>
    </Section>
  )
}

/** A new password ends sessions, and nothing else: the owner sees what else opens the account, and decides. */
function StillOpen() {
  const { t } = useWords()
  const passkeys = useQuery(passkeysQuery).data?.length ?? 0
  const keys = useQuery(keysQuery).data?.filter(({ revoked }) => revoked === null).length ?? 0
  if (passkeys + keys === 0) return null
  return (
    <p className="text-sm">
      {t('password.still_open', { passkeys, keys })}{' '}
      <Link to="/settings/keys" className="underline">
        {t('password.see_keys')}
      </Link>
    </p>
  )
}

function NoPasskeys({ missing }: { missing: PasskeyNeed }) {
  const { t } = useWords()
  return (
    <Section title={t('passkeys.title')}>
      <p className="text-sm text-soft">{t(`passkeys.need_${missing}`)}</p>
    </Section>
  )
}

function Passkeys() {
  const { t, format } = useWords()
  const zone = useCommonZone()
  const passkeys = useQuery(passkeysQuery)
  const { isBusy, problem, run } = useDeed(WRONG_PASSWORD)
  const refresh = () => queryClient.invalidateQueries({ queryKey: passkeysQuery.queryKey })
  const [isAsking, setAsking] = useState(false)
  const add = async (password: string) => {
    const isAdded = await run(async () => {
      const { addPasskey } = await import('../api/passkeys.ts')
      await addPasskey(t('passkeys.name', { date: format.date(serviceNow(), zone) }), password)
      await refresh()
    })
    if (isAdded) setAsking(false)
  }
  const remove = (id: string) =>
    run(async () => {
      await api('DELETE', `/passkeys/${id}`)
      await refresh()
    })
  return (
    <Section title={t('passkeys.title')}>
      <p className="text-sm text-soft">{t('passkeys.text')}</p>
      <Awaited of={[passkeys]} />
      <ul className="space-y-2">
        {passkeys.data?.map((passkey) => (
          <li key={passkey.id} className="flex items-center justify-between gap-3">
            <span className="min-w-0 break-words">{passkey.name ?? passkey.id}</span>
            <Button look="danger" onClick={() => remove(passkey.id)} disabled={isBusy}>
              {t('passkeys.remove')}
            </Button>
          </li>
        ))}
      </ul>
      {!isAsking && problem && <Problem>{problem}</Problem>}
      <Button icon="key" onClick={() => setAsking(true)} disabled={isBusy}>
        {t('passkeys.add')}
      </Button>
      {isAsking && (
        <PasswordDialog
          title={t('passkeys.add')}
          problem={problem}
          isBusy={isBusy}
          onPassword={add}
          onClose={() => setAsking(false)}
        />
      )}
    </Section>
  )
}

function Sessions() {
  const { t } = useWords()
  const sessions = useQuery(sessionsQuery)
  const { isBusy, problem, run } = useDeed()
  const end = (id: string) =>
    run(async () => {
      await api('DELETE', `/sessions/${id}`)
      await queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey })
    })
  const endAll = () =>
    run(async () => {
      await api('DELETE', '/sessions')
      await signedOut()
    })
  return (
    <Section title={t('sessions.title')}>
      <Awaited of={[sessions]} />
      <ul className="divide-y divide-line">
        {sessions.data?.map((session) => (
          <li key={session.id} className="flex flex-wrap items-center justify-between gap-3 py-2">
            <SessionFacts session={session} />
            {!session.is_current && (
              <Button onClick={() => end(session.id)} disabled={isBusy}>
                {t('sessions.end')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {problem && <Problem>{problem}</Problem>}
      <Button look="danger" onClick={endAll} disabled={isBusy}>
        {t('sessions.end_all')}
      </Button>
    </Section>
  )
}

function SessionFacts({ session }: { session: SessionEntry }) {
  const { t, format } = useWords()
  const now = useNow()
  const zone = useCommonZone()
  return (
    <div>
      <p className="font-medium">
        {deviceInWords(session.user_agent ?? '', t)}
        {session.is_current && <span className="ml-2 font-normal text-soft">{t('sessions.this')}</span>}
      </p>
      <p className="text-sm text-soft">
        {t('sessions.since', {
          time: format.since(Date.parse(session.signed_in), now, zone),
          address: session.address ?? '',
        })}
      </p>
    </div>
  )
}
