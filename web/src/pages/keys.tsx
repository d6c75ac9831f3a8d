import type { KeyEntry } from '@hypocaust/domain'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { BASE, serviceAddress } from '../api/base.ts'
import { api } from '../api/http.ts'
import { useNow } from '../api/now.ts'
import { keysQuery, overviewQuery, queryClient } from '../api/queries.ts'
import { useCommonZone } from '../api/zone.ts'
import { useWords } from '../i18n/index.tsx'
import { curlLine } from '../keys/curl-line.ts'
import { NewKeyDialog } from '../keys/new-key.tsx'
import { Awaited } from '../ui/awaited.tsx'
import { Button, Column, Columns, Empty, PageTitle, Section, Skeleton, Summary } from '../ui/basics.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { CopyField } from '../ui/copy-field.tsx'

/** Keys are explained like keys: what this one opens, who used it last, and how to take it away. */
export default function KeysPage() {
  const { t } = useWords()
  const keys = useQuery(keysQuery)
  const { data } = keys
  const [isCreating, setCreating] = useState(false)
  const [revoking, setRevoking] = useState<KeyEntry>()
  const now = useNow()
  const isUsable = ({ revoked, expires_at }: KeyEntry) =>
    revoked === null && (expires_at === null || Date.parse(expires_at) > now)
  const usable = data?.filter(isUsable) ?? []
  const past = data?.filter((key) => !isUsable(key)) ?? []
  return (
    <div className="space-y-4">
      <PageTitle back={{ to: '/settings' }}>{t('keys.title')}</PageTitle>
      <p className="text-soft">{t('keys.lead')}</p>
      <Columns>
        <Column>
          <Awaited of={[keys]}>
            <Skeleton className="h-32" />
          </Awaited>
          {data && usable.length === 0 && (
            <Empty icon="key" title={t('keys.none')}>
              <Button look="main" icon="plus" onClick={() => setCreating(true)}>
                {t('keys.create')}
              </Button>
            </Empty>
          )}
          {usable.length > 0 && (
            <>
              <Button look="main" icon="plus" onClick={() => setCreating(true)}>
                {t('keys.create')}
              </Button>
              <ul className="space-y-3">
                {usable.map((key) => (
                  <li
                    key={key.id}
                    className="card flex flex-col items-start gap-3 p-4 sm:flex-row sm:items-center sm:justify-between"
                  >
                    <KeyFacts entry={key} />
                    <Button
                      look="danger"
                      onClick={() => setRevoking(key)}
                      aria-label={t('keys.revoke_named', { name: key.name })}
                    >
                      {t('keys.revoke')}
                    </Button>
                  </li>
                ))}
              </ul>
            </>
          )}
          {past.length > 0 && (
            <details className="group">
              <Summary>{t('keys.past', { n: past.length })}</Summary>
              <ul className="space-y-3">
                {past.map((key) => (
                  <li key={key.id} className="card p-4">
                    <KeyFacts entry={key} />
                  </li>
                ))}
              </ul>
            </details>
          )}
        </Column>
        <UsingKeys />
      </Columns>
      {isCreating && <NewKeyDialog onClose={() => setCreating(false)} />}
      {revoking && <RevokeDialog entry={revoking} onClose={() => setRevoking(undefined)} />}
    </div>
  )
}

function KeyFacts({ entry }: { entry: KeyEntry }) {
  const { t, format } = useWords()
  const now = useNow()
  const zone = useCommonZone()
  const date = (at: string) => format.date(Date.parse(at), zone)
  const buildings = useQuery(overviewQuery).data ?? []
  const reached = buildings.filter(({ id }) => entry.building_ids?.includes(id)).map(({ name }) => name)
  const facts = [
    ...(entry.control ? [t('keys.control')] : []),
    ...(entry.building_ids === null ? [] : [t('keys.only', { buildings: reached.join(', ') })]),
    t('keys.created', { date: date(entry.created) }),
    entry.last_used === null
      ? t('keys.never_used')
      : t('keys.last_used', { time: format.since(Date.parse(entry.last_used), now, zone) }),
    ...(entry.expires_at === null ? [] : [t('keys.expires', { date: date(entry.expires_at) })]),
    ...(entry.revoked === null ? [] : [t('keys.revoked', { date: date(entry.revoked) })]),
  ]
  return (
    <div className="min-w-0">
      <h2 className="break-words font-medium">{entry.name}</h2>
      <p className="text-sm">
        <code className="font-mono">{entry.hint}</code> · {t(`permission.${entry.permission}`)}
      </p>
      <p className="text-sm text-soft">{facts.join(' · ')}</p>
    </div>
  )
}

function RevokeDialog({ entry, onClose }: { entry: KeyEntry; onClose(): void }) {
  const { t } = useWords()
  return (
    <ConfirmDialog
      title={t('keys.revoke_title', { name: entry.name })}
      text={t('keys.revoke_text')}
      action={t('keys.revoke_deed')}
      onConfirm={async () => {
        await api<KeyEntry>('DELETE', `/keys/${entry.id}`)
        await queryClient.invalidateQueries({ queryKey: keysQuery.queryKey })
      }}
      onDone={onClose}
      onClose={onClose}
    />
  )
}

/** A line to try it with, and the way into Home Assistant. */
function UsingKeys() {
  const { t } = useWords()
  return (
    <Section title={t('keys.using')}>
      <CopyField label={t('keys.curl')} value={curlLine('hyp_…')} />
      <p className="text-sm text-soft">{t('keys.home_assistant', { address: serviceAddress() })}</p>
      <a href={`${BASE}/docs/`} className="inline-flex min-h-11 items-center underline">
        {t('keys.reference')}
      </a>
    </Section>
  )
}
