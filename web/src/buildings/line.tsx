import type { OverviewEntry } from '@hypocaust/domain'
import { useNavigate } from '@tanstack/react-router'
import { type MouseEvent, memo } from 'react'
import { BASE } from '../api/base.ts'
import { useNow } from '../api/now.ts'
import { useWords } from '../i18n/index.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { needsAttention } from './arrange.ts'
import { needInWords } from './words.ts'

const ICONS: Record<OverviewEntry['need'], IconName> = {
  attention: 'warning',
  unavailable: 'warning',
  unfinished: 'gear',
  fine: 'check',
}

/** A plain link: one of the router costs more than the rest of a line, and hundreds of lines pass by in a scroll. */
export const BuildingLine = memo(({ entry }: { entry: OverviewEntry }) => {
  const navigate = useNavigate()
  const open = (event: MouseEvent) => {
    if (!isPlainClick(event)) return
    event.preventDefault()
    void navigate({ to: '/buildings/$buildingId', params: { buildingId: entry.id } })
  }
  return (
    <a
      href={`${BASE}/buildings/${entry.id}`}
      onClick={open}
      className="card flex h-full items-center gap-3 px-4 hover:bg-sunken"
    >
      <Icon name={ICONS[entry.need]} className={needsAttention(entry) ? 'text-alert' : 'text-faint'} />
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium" title={entry.name}>
          {entry.name}
        </span>
        {entry.need === 'unavailable' ? <AgeingNeed entry={entry} /> : <Need entry={entry} now={0} />}
        {entry.tags.length > 0 && (
          <span className="block truncate text-sm text-soft">{entry.tags.map((tag) => `#${tag}`).join(' ')}</span>
        )}
      </span>
      <Icon name="next" className="text-faint" />
    </a>
  )
})

/** Any other click is the browser's, such as one that opens a new tab. */
const isPlainClick = ({ metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean =>
  !metaKey && !ctrlKey && !shiftKey && !altKey

function Need({ entry, now }: { entry: OverviewEntry; now: number }) {
  const text = needInWords(entry, now, useWords())
  return (
    <span className="block truncate text-sm text-soft" title={text}>
      {text}
    </span>
  )
}

/** Only this one changes with time. */
function AgeingNeed({ entry }: { entry: OverviewEntry }) {
  return <Need entry={entry} now={useNow()} />
}
