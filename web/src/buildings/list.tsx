import type { OverviewEntry } from '@hypocaust/domain'
import { type CSSProperties, memo, useDeferredValue, useMemo } from 'react'
import { useWords } from '../i18n/index.tsx'
import { useLanes } from './lanes.ts'
import { BuildingLine, useOpen } from './line.tsx'
import { cut, GAP_REM, LINE_REM, ROW_REM, SHEET_REM, SHEET_ROWS } from './sheets.ts'

/** Lines of a screen or two, for each that stands beside another. */
const FIRST_ROWS = 2 * SHEET_ROWS

/**
 * First the lines of a screen or two, then, in one step and without keeping the page from answering, all the others: so a
 * long list is shown at once, scrolling it runs no script, and the browser's own search finds every line.
 */
export function BuildingList({ entries }: { entries: OverviewEntry[] }) {
  const { t } = useWords()
  const lanes = useLanes()
  const whole = useMemo((): Shown => ({ entries, all: entries.length }), [entries])
  const beginning = { ...whole, entries: entries.slice(0, FIRST_ROWS * lanes) }
  const deferred = useDeferredValue(whole, beginning)
  return (
    // biome-ignore lint/a11y/useSemanticElements: between a list and its items HTML allows no sheets
    <div
      role="list"
      aria-label={t('list.label')}
      className="relative"
      style={{ height: `${Math.ceil(entries.length / lanes) * ROW_REM}rem` }}
    >
      <Sheets shown={entries.length <= FIRST_ROWS * lanes ? whole : deferred} lanes={lanes} />
    </div>
  )
}

interface Shown {
  entries: OverviewEntry[]
  /** Lines there will be. */
  all: number
}

const Sheets = memo(({ shown: { entries, all }, lanes }: { shown: Shown; lanes: number }) =>
  cut(entries, SHEET_ROWS * lanes).map(({ number, items }) => (
    <Sheet key={number} number={number} entries={items} lanes={lanes} all={all} />
  )),
)

interface SheetProps {
  number: number
  entries: OverviewEntry[]
  lanes: number
  /** Lines in all sheets. */
  all: number
}

function Sheet({ number, entries, lanes, all }: SheetProps) {
  const open = useOpen()
  const before = number * SHEET_ROWS * lanes
  return (
    <div role="none" className="absolute grid [contain:strict]" style={styleOf(number, lanes)}>
      {entries.map((entry, i) => (
        <BuildingLine key={entry.id} entry={entry} place={before + i + 1} all={all} onOpen={open} />
      ))}
    </div>
  )
}

/** Half a gap on every side is room for the outline of a line that has the focus. */
const styleOf = (number: number, lanes: number): CSSProperties => ({
  top: `${number * SHEET_REM - GAP_REM / 2}rem`,
  insetInline: `${-GAP_REM / 2}rem`,
  height: `${SHEET_REM}rem`,
  padding: `${GAP_REM / 2}rem`,
  gap: `${GAP_REM}rem`,
  gridTemplateColumns: `repeat(${lanes}, minmax(0, 1fr))`,
  gridAutoRows: `${LINE_REM}rem`,
})
