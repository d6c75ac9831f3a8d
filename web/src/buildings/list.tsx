import type { OverviewEntry } from '@hypocaust/domain'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useWords } from '../i18n/index.tsx'
import { BuildingLine } from './line.tsx'

const LINE_REM = 6
const GAP_REM = 0.75
/** Lines beyond the screen that are ready before they are scrolled to. */
const AHEAD = 12

/** Only the lines near the screen are in the page, however many there are. */
export function BuildingList({ entries }: { entries: OverviewEntry[] }) {
  const { t } = useWords()
  const list = useRef<HTMLUListElement>(null)
  const top = useTopOf(list)
  const lanes = useLanes()
  const remPx = useRemPx()
  const virtualizer = useWindowVirtualizer({
    count: entries.length,
    lanes,
    gap: GAP_REM * remPx,
    overscan: AHEAD,
    useFlushSync: false,
    scrollMargin: top,
    estimateSize: () => LINE_REM * remPx,
    getItemKey: (i) => entries[i]?.id ?? i,
  })
  return (
    <ul ref={list} aria-label={t('list.label')} className="relative" style={{ height: virtualizer.getTotalSize() }}>
      {virtualizer.getVirtualItems().map(({ key, index, lane, start, size }) => {
        const entry = entries[index]
        if (!entry) return null
        return (
          <li
            key={key}
            aria-setsize={entries.length}
            aria-posinset={index + 1}
            className="absolute top-0"
            style={{
              height: size,
              width: `calc((100% - ${(lanes - 1) * GAP_REM}rem) / ${lanes})`,
              left: `calc((100% + ${GAP_REM}rem) / ${lanes} * ${lane})`,
              transform: `translateY(${start - top}px)`,
            }}
          >
            <BuildingLine entry={entry} />
          </li>
        )
      })}
    </ul>
  )
}

/** Where the list begins on the page: it moves with what is above it. */
function useTopOf(list: React.RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0)
  useLayoutEffect(() => {
    const measure = () => setTop(Math.round((list.current?.getBoundingClientRect().top ?? 0) + scrollY))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [list])
  return top
}

const WIDE = matchMedia('(min-width: 48rem)')
const WIDEST = matchMedia('(min-width: 80rem)')

function subscribeWidth(listener: () => void): () => void {
  for (const query of [WIDE, WIDEST]) query.addEventListener('change', listener)
  return () => {
    for (const query of [WIDE, WIDEST]) query.removeEventListener('change', listener)
  }
}

const useLanes = (): number => useSyncExternalStore(subscribeWidth, () => (WIDEST.matches ? 3 : WIDE.matches ? 2 : 1))

/** Larger text has higher lines. */
const useRemPx = (): number => useState(() => Number.parseFloat(getComputedStyle(document.documentElement).fontSize))[0]
