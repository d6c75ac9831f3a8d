import type { OverviewEntry } from '@hypocaust/domain'
import { memo, useRef } from 'react'
import { useWords } from '../i18n/index.tsx'
import { BuildingLine } from './line.tsx'
import { GAP_REM, LINE_REM, useLanes, useRowsInPage } from './rows.ts'

const ROW_REM = LINE_REM + GAP_REM

/** However many lines there are, those near the screen are in the page first. */
export function BuildingList({ entries }: { entries: OverviewEntry[] }) {
  const { t } = useWords()
  const list = useRef<HTMLUListElement>(null)
  const lanes = useLanes()
  const rows = Math.ceil(entries.length / lanes)
  const [first, end] = useRowsInPage(list, rows).map((row) => row * lanes)
  return (
    <ul ref={list} aria-label={t('list.label')} className="relative" style={{ height: `${rows * ROW_REM}rem` }}>
      {entries.slice(first, end).map((entry, i) => (
        <Place key={entry.id} entry={entry} index={(first ?? 0) + i} lanes={lanes} all={entries.length} />
      ))}
    </ul>
  )
}

interface PlaceProps {
  entry: OverviewEntry
  index: number
  lanes: number
  all: number
}

const Place = memo(({ entry, index, lanes, all }: PlaceProps) => (
  <li
    aria-setsize={all}
    aria-posinset={index + 1}
    className="absolute"
    style={{
      height: `${LINE_REM}rem`,
      top: `${Math.floor(index / lanes) * ROW_REM}rem`,
      width: `calc((100% - ${(lanes - 1) * GAP_REM}rem) / ${lanes})`,
      left: `calc((100% + ${GAP_REM}rem) / ${lanes} * ${index % lanes})`,
    }}
  >
    <BuildingLine entry={entry} />
  </li>
))
