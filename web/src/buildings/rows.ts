import { type RefObject, useEffect, useLayoutEffect, useState } from 'react'
import { grown, type Range, SHEET_ROWS, shown } from './sheets.ts'

export const LINE_REM = 6
export const GAP_REM = 0.75
export const ROW_REM = LINE_REM + GAP_REM
export const SHEET_REM = SHEET_ROWS * ROW_REM

/**
 * Sheets of equal height that are in the page: first those on the screen, then, while the browser is idle, the others.
 * So a long list is shown at once, scrolling it makes no rows once they are there, and the browser's own search finds
 * every one.
 */
export function useSheetsInPage(list: RefObject<HTMLElement | null>, sheets: number): Range {
  const [inPage, setInPage] = useState<Range>([0, 1])
  useLayoutEffect(() => {
    const sheetPx = SHEET_REM * Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
    let topPx = 0
    const look = () => {
      const y = scrollY - topPx
      const onScreen: Range = [Math.floor(y / sheetPx), Math.ceil((y + innerHeight) / sheetPx)]
      setInPage((range) => shown(range, onScreen, sheets))
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
  }, [list, sheets])
  useEffect(() => {
    const next = grown(inPage, sheets)
    return next === inPage ? undefined : whenIdle(() => setInPage(next))
  }, [inPage, sheets])
  return inPage
}

/** Safari has no idle callbacks. */
function whenIdle(work: () => void): () => void {
  if (!window.requestIdleCallback) {
    const timer = setTimeout(work, 50)
    return () => clearTimeout(timer)
  }
  const handle = requestIdleCallback(work)
  return () => cancelIdleCallback(handle)
}
