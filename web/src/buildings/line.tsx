import type { OverviewEntry } from '@hypocaust/domain'
import { Link } from '@tanstack/react-router'
import { memo } from 'react'
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

/** Of a fixed height, so that a long list knows where each line is. */
export const BuildingLine = memo(({ entry }: { entry: OverviewEntry }) => {
  const words = useWords()
  const now = useNow()
  const text = needInWords(entry, now, words)
  return (
    <Link
      to="/buildings/$buildingId"
      params={{ buildingId: entry.id }}
      preload={false}
      className="card flex h-full items-center gap-3 px-4 hover:bg-sunken"
    >
      <Icon name={ICONS[entry.need]} className={needsAttention(entry) ? 'text-alert' : 'text-faint'} />
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium" title={entry.name}>
          {entry.name}
        </span>
        <span className="block truncate text-sm text-soft" title={text}>
          {text}
        </span>
        {entry.tags.length > 0 && (
          <span className="block truncate text-sm text-soft">{entry.tags.map((tag) => `#${tag}`).join(' ')}</span>
        )}
      </span>
      <Icon name="next" className="text-faint" />
    </Link>
  )
})
