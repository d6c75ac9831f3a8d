import type { AppBuilding } from '@hypocaust/domain'
import { MOST_CALENDARS, mayDo } from '@hypocaust/domain/facts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useBuilding } from '../api/buildings.ts'
import { calendarsQuery } from '../api/queries.ts'
import { CalendarCard } from '../calendars/card.tsx'
import { CalendarDialog } from '../calendars/dialog.tsx'
import { useWords } from '../i18n/index.tsx'
import { useParam } from '../routing/route.ts'
import { Awaited, PageSkeleton } from '../ui/awaited.tsx'
import { Button, Empty, PageTitle, Skeleton } from '../ui/basics.tsx'
import { NotFoundPage } from './not-found.tsx'

/** Calendars of a building, and what follows from their events. */
export default function CalendarsPage() {
  const building = useBuilding(useParam('buildingId'))
  if (building === undefined) return <PageSkeleton />
  if (!building || !mayDo(building.role, 'plan')) return <NotFoundPage />
  return <CalendarsOf building={building} />
}

function CalendarsOf({ building }: { building: AppBuilding }) {
  const { t } = useWords()
  const calendars = useQuery(calendarsQuery(building.id))
  const { data } = calendars
  const [isAdding, setAdding] = useState(false)
  const add = (
    <Button look="main" icon="plus" onClick={() => setAdding(true)}>
      {t('calendars.add')}
    </Button>
  )
  return (
    <div className="space-y-4">
      <PageTitle back={{ to: '/buildings/$buildingId', params: { buildingId: building.id } }}>
        {t('calendars.title', { building: building.name })}
      </PageTitle>
      <p className="max-w-prose text-soft">{t('calendars.lead')}</p>
      <Awaited of={[calendars]}>
        <Skeleton className="h-32" />
      </Awaited>
      {data?.calendars.length === 0 && (
        <Empty icon="calendar" title={t('calendars.none')}>
          {add}
        </Empty>
      )}
      {data && data.calendars.length > 0 && (
        <>
          {data.calendars.length < MOST_CALENDARS && add}
          <ul className="space-y-3">
            {data.calendars.map((calendar) => (
              <li key={calendar.id} className="card space-y-3 p-4 sm:p-5">
                <CalendarCard building={building} calendar={calendar} />
              </li>
            ))}
          </ul>
        </>
      )}
      {isAdding && <CalendarDialog building={building} onClose={() => setAdding(false)} />}
    </div>
  )
}
