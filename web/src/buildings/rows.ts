import { type RefObject, useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'

export const LINE_REM = 6
export const GAP_REM = 0.75

/** Rows beyond the screen that are ready before they are scrolled to. */
const AHEAD = 8
/** Rows that are added at a time on either side, while the browser has nothing else to do. */
const STEP = 2
/** Rows in the page at most. */
const MOST = 1000

/** From the first row, to before the last one. */
type Range = [first: number, end: number]

/**
 * Rows of equal height that are in the page: first those near the screen, then, while the browser is idle, those
 * around them. So a long list is shown at once, and scrolling it does not make rows.
 */
export function useRowsInPage(list: RefObject<HTMLElement | null>, rows: number): Range {
  const [range, setRange] = useState<Range>([0, 2 * AHEAD])
  const shown = useRef(range)
  shown.current = range
  useLayoutEffect(() => {
    const rowPx = (LINE_REM + GAP_REM) * Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
    let topPx = 0
    const look = () => {
      const first = Math.floor((scrollY - topPx) / rowPx)
      const end = Math.ceil((scrollY + innerHeight - topPx) / rowPx)
      if (!isWithin([Math.max(first, 0), end], shown.current)) setRange([first - AHEAD, end + AHEAD])
    }
    // Where the list begins moves with what is above it.
    const measure = () => {
      topPx = Math.round((list.current?.getBoundingClientRect().top ?? 0) + scrollY)
      look()
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    addEventListener('scroll', look, { passive: true })
    return () => {
      observer.disconnect()
      removeEventListener('scroll', look)
    }
  }, [list])
  useEffect(() => {
    if (range[1] - range[0] >= MOST || isWithin([0, rows], range)) return
    return whenIdle(() => setRange(([first, end]) => [first - STEP, end + STEP]))
  }, [range, rows])
  return [Math.max(range[0], 0), Math.max(range[1], 0)]
}

const isWithin = ([first, end]: Range, [outerFirst, outerEnd]: Range) => first >= outerFirst && end <= outerEnd

/** Safari has no idle callbacks. */
function whenIdle(work: () => void): () => void {
  if (!window.requestIdleCallback) {
    const timer = setTimeout(work, 50)
    return () => clearTimeout(timer)
  }
  const handle = requestIdleCallback(work)
  return () => cancelIdleCallback(handle)
}

const WIDE = matchMedia('(min-width: 48rem)')
const WIDEST = matchMedia('(min-width: 80rem)')

function subscribeWidth(listener: () => void): () => void {
  for (const query of [WIDE, WIDEST]) query.addEventListener('change', listener)
  return () => {
    for (const query of [WIDE, WIDEST]) query.removeEventListener('change', listener)
  }
}

/** How many lines stand beside each other. */
export const useLanes = (): number =>
  useSyncExternalStore(subscribeWidth, () => (WIDEST.matches ? 3 : WIDE.matches ? 2 : 1))
