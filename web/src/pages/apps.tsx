import type { ConnectedApp } from '@hypocaust/domain'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { BASE } from '../api/base.ts'
import { api } from '../api/http.ts'
import { useNow } from '../api/now.ts'
import { connectedAppsQuery, queryClient } from '../api/queries.ts'
import { useCommonZone } from '../api/zone.ts'
import { useWords } from '../i18n/index.tsx'
import { Awaited } from '../ui/awaited.tsx'
import { Button, PageTitle, Skeleton } from '../ui/basics.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'

/** Apps of other makers: which buildings each reaches, when it was last used, and how to end that. */
export default function ConnectedAppsPage() {
  const { t } = useWords()
  const apps = useQuery(connectedAppsQuery)
  const { data } = apps
  const [ending, setEnding] = useState<ConnectedApp>()
  return (
    <div className="space-y-4">
      <PageTitle back={{ to: '/settings' }}>{t('apps.title')}</PageTitle>
      <p className="max-w-prose text-soft">{t('apps.lead')}</p>
      <Awaited of={[apps]}>
        <Skeleton className="h-32" />
      </Awaited>
      {data?.length === 0 && <p className="card p-4">{t('apps.none')}</p>}
      {data && data.length > 0 && (
        <ul className="space-y-3">
          {data.map((app) => (
            <li key={app.id} className="card flex flex-wrap items-center justify-between gap-3 p-4">
              <AppFacts app={app} />
              <Button look="danger" onClick={() => setEnding(app)} aria-label={t('apps.end_named', { name: app.name })}>
                {t('apps.end')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <Button icon="plus" onClick={() => location.assign(`${BASE}/device`)}>
        {t('apps.connect_device')}
      </Button>
      {ending && <EndDialog app={ending} onClose={() => setEnding(undefined)} />}
    </div>
  )
}

function AppFacts({ app }: { app: ConnectedApp }) {
  const { t, format } = useWords()
  const now = useNow()
  const zone = useCommonZone()
  const facts = [
    t('apps.granted', { date: format.date(Date.parse(app.granted), zone) }),
    app.last_used === null
      ? t('keys.never_used')
      : t('keys.last_used', { time: format.since(Date.parse(app.last_used), now, zone) }),
  ]
  return (
    <div className="min-w-0">
      <h2 className="break-words font-medium">{app.name}</h2>
      <ul className="text-sm">
        {app.buildings.map(({ id, name, permission }) => (
          <li key={id} className="break-words">
            {t('apps.in_building', { building: name, access: t(`apps.access_${permission}`) })}
          </li>
        ))}
      </ul>
      <p className="text-sm text-soft">{facts.join(' · ')}</p>
    </div>
  )
}

function EndDialog({ app: { id, name }, onClose }: { app: ConnectedApp; onClose(): void }) {
  const { t } = useWords()
  return (
    <ConfirmDialog
      title={t('apps.end_title', { name })}
      text={t('apps.end_text')}
      action={t('apps.end')}
      onConfirm={async () => {
        await api('DELETE', `/connected-apps/${id}`)
        await queryClient.invalidateQueries({ queryKey: connectedAppsQuery.queryKey })
      }}
      onDone={onClose}
      onClose={onClose}
    />
  )
}
