import type { OverviewEntry } from '@hypocaust/domain'
import { type CSSProperties, memo, useMemo, useRef } from 'react'
import { useWords } from '../i18n/index.tsx'
import { useLanes } from './lanes.ts'
import { BuildingLine, useOpen } from './line.tsx'
import { GAP_REM, LINE_REM, ROW_REM, SHEET_REM, useSheetsInPage } from './rows.ts'
import { cut, SHEET_ROWS } from './sheets.ts'

/** However many lines there are, those near the screen are in the page first. */
export function BuildingList({ entries }: { entries: OverviewEntry[] }) {
  const { t } = useWords()
  const list = useRef<HTMLDivElement>(null)
  const lanes = useLanes()
  const sheets = useMemo(() => cut(entries, SHEET_ROWS * lanes), [entries, lanes])
  const [first, end] = useSheetsInPage(list, sheets.length)
  const height = `${Math.ceil(entries.length / lanes) * ROW_REM}rem`
  return (
    // biome-ignore lint/a11y/useSemanticElements: between a list and its items HTML allows no sheets
    <div ref={list} role="list" aria-label={t('list.label')} className="relative" style={{ height }}>
      {sheets.slice(first, end).map((of) => (
        <Sheet key={of.number} number={of.number} entries={of.items} lanes={lanes} all={entries.length} />
      ))}
    </div>
  )
}

interface SheetProps {
  number: number
  entries: OverviewEntry[]
  lanes: number
  /** Lines in all sheets. */
  all: number
}

const Sheet = memo(({ number, entries, lanes, all }: SheetProps) => {
  const open = useOpen()
  const before = number * SHEET_ROWS * lanes
  return (
    <div role="none" className="absolute grid [contain:strict]" style={styleOf(number, lanes)}>
      {entries.map((entry, i) => (
        <BuildingLine key={entry.id} entry={entry} place={before + i + 1} all={all} onOpen={open} />
      ))}
    </div>
  )
})

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
