import type { OverviewEntry } from '@hypocaust/domain'
import { type MouseEvent, memo, useCallback } from 'react'
import { BASE } from '../api/base.ts'
import { useNow } from '../api/now.ts'
import { useWords } from '../i18n/index.tsx'
import { isPlain } from '../routing/link.tsx'
import { navigate } from '../routing/navigation.ts'
import { Icon } from '../ui/icon.tsx'
import { needsAttention } from './arrange.ts'
import { needInWords } from './words.ts'

interface LineProps {
  entry: OverviewEntry
  /** Its place in the list, from 1. */
  place: number
  all: number
  onOpen(event: MouseEvent<HTMLAnchorElement>): void
}

/**
 * Hundreds of lines are made at once, and every part of a line takes its time: so the link is a plain one instead of the
 * router's, and only a building that is not fine has a sign.
 */
export const BuildingLine = memo(({ entry, place, all, onOpen }: LineProps) => (
  // biome-ignore lint/a11y/useSemanticElements: the list is not an element of its own either
  <div role="listitem" aria-setsize={all} aria-posinset={place}>
    <a
      href={`${BASE}/buildings/${entry.id}`}
      data-building-id={entry.id}
      onClick={onOpen}
      className="building-columns line"
    >
      <span className="long">
        <b title={entry.name}>{entry.name}</b>
        {entry.tags.map((tag) => ` #${tag}`)}
      </span>
      <span className="long">
        {entry.need !== 'fine' && (
          <Icon
            name={entry.need === 'unfinished' ? 'gear' : 'warning'}
            className={`mr-1.5 inline size-5 align-[-0.3em] ${needsAttention(entry) ? 'text-alert' : 'text-faint'}`}
          />
        )}
        {entry.need === 'unavailable' ? <AgeingNeed entry={entry} /> : <Need entry={entry} now={0} />}
      </span>
      <Coldest {...entry} />
      <Outdoor {...entry} />
    </a>
  </div>
))

function Coldest({ coldest }: OverviewEntry) {
  const { t, format } = useWords()
  if (!coldest) return <span />
  return (
    <span className="long text-right md:text-left">
      <span className="sr-only">{t('list.coldest')}</span>
      <span className="text-base font-medium text-ink">{format.wholeDegrees(coldest.temperature)}°</span> {coldest.room}
    </span>
  )
}

function Outdoor({ outdoor }: OverviewEntry) {
  const { t, format } = useWords()
  if (outdoor === null) return <span />
  return (
    <span className="text-right">
      <Icon name="cloud" className="mr-1 inline size-4 align-[-0.2em] md:hidden" />
      <span className="sr-only">{t('list.outdoor')}</span> {format.wholeDegrees(outdoor)}°
    </span>
  )
}

/** One handler for all lines. */
export function useOpen(): LineProps['onOpen'] {
  return useCallback((event) => {
    const { buildingId } = event.currentTarget.dataset
    if (!buildingId || !isPlain(event)) return
    event.preventDefault()
    navigate({ to: '/buildings/$buildingId', params: { buildingId } })
  }, [])
}

function Need({ entry, now }: { entry: OverviewEntry; now: number }) {
  const text = needInWords(entry, now, useWords())
  return <span title={text}>{text}</span>
}

/** Only this one changes with time. */
function AgeingNeed({ entry }: { entry: OverviewEntry }) {
  return <Need entry={entry} now={useNow()} />
}
