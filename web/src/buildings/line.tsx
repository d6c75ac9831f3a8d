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
export const BuildingLine = memo(({ entry, place, all, onOpen }: LineProps) => {
  const isFine = entry.need === 'fine'
  return (
    // biome-ignore lint/a11y/useSemanticElements: the list is not an element of its own either
    <div role="listitem" aria-setsize={all} aria-posinset={place}>
      <a
        href={`${BASE}/buildings/${entry.id}`}
        data-building-id={entry.id}
        onClick={onOpen}
        className={`card line ${isFine ? '' : 'signed'} ${!isFine || mayBeTooLong(entry) ? 'long' : ''}`}
      >
        <b title={entry.name}>{entry.name}</b>
        <br />
        {entry.need === 'unavailable' ? <AgeingNeed entry={entry} /> : <Need entry={entry} now={0} />}
        {entry.tags.length > 0 && <br />}
        {entry.tags.map((tag) => `#${tag}`).join(' ')}
        {!isFine && (
          <Icon
            name={entry.need === 'unfinished' ? 'gear' : 'warning'}
            className={needsAttention(entry) ? 'text-alert' : 'text-faint'}
          />
        )}
      </a>
    </div>
  )
})

/** Letters for which a narrow phone has room. A line that is cut off takes longer to paint, so only one that may have to be. */
const ROOMY = 28

const mayBeTooLong = ({ name, tags, reminders }: OverviewEntry): boolean =>
  name.length > ROOMY || tags.join(' #').length > ROOMY || reminders > 0

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
