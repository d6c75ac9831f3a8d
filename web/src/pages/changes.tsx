import type { ChangePage, ChangeQuery } from '@hypocaust/domain'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { BASE } from '../api/base.ts'
import { useBuilding } from '../api/buildings.ts'
import { api } from '../api/http.ts'
import { ChangeList } from '../changes/list.tsx'
import { type Translate, useWords } from '../i18n/index.tsx'
import { useParam } from '../routing/route.ts'
import { Awaited, PageSkeleton } from '../ui/awaited.tsx'
import { Button, Empty, PageTitle, Skeleton } from '../ui/basics.tsx'
import { Chips } from '../ui/chips.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { Picker } from '../ui/picker.tsx'
import { SheetButton } from '../ui/sheet-button.tsx'
import { NotFoundPage } from './not-found.tsx'

type Filter = Pick<ChangeQuery, 'room' | 'by' | 'topic'>

const BY = ['people', 'keys', 'itself'] as const
const TOPICS = ['rooms', 'building', 'set_up', 'access'] as const

const queryOf = (filter: Filter & { before?: string }) => {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined && value !== '')
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`
}

/** Who changed what in a building, or in one of its rooms. */
export default function ChangesPage() {
  const { t } = useWords()
  const buildingId = useParam('buildingId')
  const room = new URLSearchParams(location.search).get('room') ?? undefined
  const [filter, setFilter] = useState<Filter>(room === undefined ? {} : { room })
  const building = useBuilding(buildingId)
  const log = useInfiniteQuery({
    queryKey: ['changes', buildingId, filter],
    queryFn: ({ pageParam }) =>
      api<ChangePage>('GET', `/buildings/${buildingId}/changes${queryOf({ ...filter, ...pageParam })}`),
    initialPageParam: {} as { before?: string },
    getNextPageParam: ({ next }) => (next === null ? undefined : { before: String(next) }),
  })
  if (building === null) return <NotFoundPage />
  if (!building) return <PageSkeleton />
  const changes = log.data?.pages.flatMap((page) => page.changes)
  const named = building.rooms.find(({ id }) => id === room)
  const back =
    room !== undefined && named
      ? ({ to: '/rooms/$roomId', params: { roomId: room } } as const)
      : ({ to: '/settings' } as const)
  const filters = (
    <Filters filter={filter} onChange={setFilter} rooms={building.rooms} isOwner={building.role === 'owner'} />
  )
  return (
    <div className="space-y-4">
      <PageTitle back={back}>{t('log.title', { building: named?.name ?? building.name })}</PageTitle>
      <p className="text-soft">{t('log.lead')}</p>
      <div className="gap-6 space-y-4 lg:flex lg:flex-row-reverse lg:items-start">
        <aside className="lg:w-72 lg:shrink-0">
          <div className="lg:hidden">
            <SheetButton label={t('log.filter')} shown={shownOf(filter, building.rooms, t)}>
              {(close) => (
                <Dialog title={t('log.filter')} onClose={close}>
                  {filters}
                  <Button look="main" onClick={close}>
                    {t('done')}
                  </Button>
                </Dialog>
              )}
            </SheetButton>
          </div>
          <div className="hidden lg:block">{filters}</div>
        </aside>
        <div className="min-w-0 flex-1 space-y-4">
          <Awaited of={[log]}>
            <Skeleton className="h-96" />
          </Awaited>
          {changes?.length === 0 && <Empty icon="check" title={t('log.none')} />}
          {changes && <ChangeList building={building} changes={changes} />}
          {log.hasNextPage && (
            <Button onClick={() => log.fetchNextPage()} disabled={log.isFetchingNextPage}>
              {t('log.more')}
            </Button>
          )}
          <a
            className="-ml-2 inline-flex min-h-11 items-center gap-2 rounded-xl px-2 hover:bg-sunken"
            href={`${BASE}/app/buildings/${buildingId}/changes.csv${queryOf(filter)}`}
            download={`${t('log.title', { building: building.name })}.csv`}
          >
            <Icon name="download" className="size-5" />
            {t('log.csv')}
          </a>
        </div>
      </div>
    </div>
  )
}

/** What is chosen, in a line. */
function shownOf({ room, by, topic }: Filter, rooms: FilterProps['rooms'], t: Translate): string {
  const chosen = [
    rooms.find(({ id }) => id === room)?.name,
    by && t(`log.by_${by}`),
    topic && t(`log.topic_${topic}`),
  ].filter((each) => each)
  return chosen.length === 0 ? t('log.topic_any') : chosen.join(', ')
}

interface FilterProps {
  filter: Filter
  onChange(filter: Filter): void
  rooms: { id: string; name: string }[]
  isOwner: boolean
}

function Filters({ filter, onChange, rooms, isOwner }: FilterProps) {
  const { t } = useWords()
  const choose = (change: Filter) => onChange({ ...filter, ...change })
  const topics = TOPICS.filter((topic) => isOwner || topic !== 'access')
  return (
    <fieldset className="space-y-3">
      <legend className="sr-only">{t('log.filter')}</legend>
      <Picker
        label={t('log.room')}
        value={filter.room ?? ''}
        choices={[
          { value: '', label: t('log.all_rooms') },
          ...rooms.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onChange={(next) => choose({ room: next })}
      />
      <Chips
        label={t('log.by')}
        value={filter.by ?? ''}
        choices={[{ value: '', label: t('log.by_any') }, ...BY.map((by) => ({ value: by, label: t(`log.by_${by}`) }))]}
        onChange={(by) => choose({ by: by as NonNullable<Filter['by']> })}
      />
      <Chips
        label={t('log.topic')}
        value={filter.topic ?? ''}
        choices={[
          { value: '', label: t('log.topic_any') },
          ...topics.map((topic) => ({ value: topic, label: t(`log.topic_${topic}`) })),
        ]}
        onChange={(topic) => choose({ topic: topic as NonNullable<Filter['topic']> })}
      />
    </fieldset>
  )
}
