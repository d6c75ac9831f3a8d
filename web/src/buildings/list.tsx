import type { OverviewEntry } from '@hypocaust/domain'
import { type CSSProperties, memo, useDeferredValue, useMemo } from 'react'
import { useWords } from '../i18n/index.tsx'
import { BuildingLine, useOpen } from './line.tsx'
import { cut, SHEET_ROWS } from './sheets.ts'

/** Lines of a screen or two. */
const FIRST_ROWS = 3 * SHEET_ROWS

/**
 * First the lines of a screen or two, then, in one step and without keeping the page from answering, all the others: so a
 * long list is shown at once, scrolling it runs no script, and the browser's own search finds every line.
 */
export function BuildingList({ entries }: { entries: OverviewEntry[] }) {
  const { t } = useWords()
  const whole = useMemo((): Shown => ({ entries, all: entries.length }), [entries])
  const beginning = { ...whole, entries: entries.slice(0, FIRST_ROWS) }
  const deferred = useDeferredValue(whole, beginning)
  if (entries.length === 0) return null
  return (
    <div className="card overflow-hidden">
      <Heads />
      {/* biome-ignore lint/a11y/useSemanticElements: between a list and its items HTML allows no sheets */}
      <div role="list" aria-label={t('list.label')} className="buildings" style={numbered(entries.length)}>
        <Sheets shown={entries.length <= FIRST_ROWS ? whole : deferred} />
      </div>
    </div>
  )
}

/** For the eye; in each line the words are said with the values. */
function Heads() {
  const { t } = useWords()
  return (
    <div aria-hidden="true" className="building-columns hidden border-b border-line py-2 text-sm text-soft md:grid">
      <span>{t('list.building')}</span>
      <span>{t('list.state')}</span>
      <span>{t('list.coldest')}</span>
      <span className="text-right">{t('list.outdoor')}</span>
    </div>
  )
}

interface Shown {
  entries: OverviewEntry[]
  /** Lines there will be. */
  all: number
}

const Sheets = memo(({ shown: { entries, all } }: { shown: Shown }) =>
  cut(entries, SHEET_ROWS).map(({ number, items }) => <Sheet key={number} number={number} entries={items} all={all} />),
)

function Sheet({ number, entries, all }: { number: number; entries: OverviewEntry[]; all: number }) {
  const open = useOpen()
  const before = number * SHEET_ROWS
  return (
    <div role="none" className="building-sheet" style={numbered(before)}>
      {entries.map((entry, i) => (
        <BuildingLine key={entry.id} entry={entry} place={before + i + 1} all={all} onOpen={open} />
      ))}
    </div>
  )
}

/** Rows of the whole list, or above a sheet; how high a row is, the style sheet says. */
const numbered = (rows: number): CSSProperties => ({ '--rows': rows }) as CSSProperties
