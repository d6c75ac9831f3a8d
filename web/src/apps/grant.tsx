import type { Permission } from '@hypocaust/domain'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { overviewQuery } from '../api/queries.ts'
import { useWords } from '../i18n/index.tsx'
import { Awaited } from '../ui/awaited.tsx'
import { Button, Problem, Skeleton } from '../ui/basics.tsx'
import { Segmented } from '../ui/controls.tsx'

type Access = 'none' | Permission

export interface GrantedBuilding {
  id: string
  permission: Permission
}

/** What an app asks for, and what a person grants it in each building. */
export function Grant(props: {
  app: { name: string; is_verified: boolean; permission: Permission }
  email: string
  isBusy: boolean
  problem: string | undefined
  /** Empty: the app is refused. */
  onDecide(buildings: GrantedBuilding[]): void
}) {
  const { app, email, isBusy, problem, onDecide } = props
  const { t } = useWords()
  const overview = useQuery(overviewQuery)
  const buildings = overview.data
  const [chosen, setChosen] = useState<Record<string, Access>>({})
  const [isMissing, setMissing] = useState(false)
  if (!buildings) {
    return (
      <Awaited of={[overview]}>
        <Skeleton className="h-32" />
      </Awaited>
    )
  }
  // With one building there is nothing to choose but how much; of several, none is opened unless it is chosen.
  const usual: Access = buildings.length === 1 ? app.permission : 'none'
  const accessTo = (id: string) => chosen[id] ?? usual
  const granted = buildings.flatMap(({ id }) => {
    const permission = accessTo(id)
    return permission === 'none' ? [] : [{ id, permission }]
  })
  const allow = () => {
    setMissing(granted.length === 0)
    if (granted.length > 0) onDecide(granted)
  }
  const choices: Access[] = app.permission === 'write' ? ['none', 'read', 'write'] : ['none', 'read']
  return (
    <>
      <section className="card space-y-3 p-4">
        <h2 className="break-words text-lg font-semibold">{t('apps.asks', { name: app.name })}</h2>
        <p>{t(`apps.asks_${app.permission}`)}</p>
        {!app.is_verified && <Problem>{t('apps.unverified')}</Problem>}
        {buildings.map(({ id, name }) => (
          <div key={id} className="space-y-1">
            <p className="break-words font-medium">{name}</p>
            <Segmented<Access>
              label={name}
              value={accessTo(id)}
              choices={choices.map((value) => ({ value, label: t(`apps.access_${value}`) }))}
              onChange={(next) => setChosen({ ...chosen, [id]: next })}
            />
          </div>
        ))}
      </section>
      {isMissing && <Problem>{t('apps.choose')}</Problem>}
      {problem && <Problem>{problem}</Problem>}
      <div className="grid grid-cols-2 gap-3">
        <Button disabled={isBusy} onClick={() => onDecide([])}>
          {t('apps.refuse')}
        </Button>
        <Button look="main" disabled={isBusy} onClick={allow}>
          {t('apps.allow')}
        </Button>
      </div>
      <p className="break-words text-center text-sm text-soft">{t('apps.as', { email })}</p>
    </>
  )
}
