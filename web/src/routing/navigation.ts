import type { Destination } from './address.ts'
import { hrefOf } from './pages.ts'

/** Whether the page may be left; if not, it keeps how to go on. */
type Guard = (proceed: () => void) => boolean

const listeners = new Set<() => void>()
/** How far each page that was opened is scrolled, by its place in the history. */
const scrolled: number[] = []
let guard: Guard | undefined
let place = placeNow() ?? 0
if (placeNow() === undefined) history.replaceState({ ...history.state, place }, '')
/** The next step in the history only takes back one that was not allowed. */
let isTakenBack = false
/** The next step in the history was asked about before. */
let isAllowed = false

function placeNow(): number | undefined {
  return (history.state as { place?: number } | null)?.place
}

export function navigate(destination: Destination): void {
  const go = () => {
    notePosition()
    place += 1
    scrolled[place] = 0
    history.pushState({ place }, '', hrefOf(destination))
    for (const listener of listeners) listener()
  }
  if (!guard || guard(go)) go()
}

addEventListener('popstate', () => {
  const next = placeNow()
  // A link within the page, or an address typed over the last one.
  if (next === undefined) {
    history.replaceState({ place: ++place }, '')
    for (const listener of listeners) listener()
    return
  }
  if (isTakenBack) {
    isTakenBack = false
    return
  }
  const by = next - place
  const proceed = () => {
    isAllowed = true
    history.go(by)
  }
  if (by !== 0 && !isAllowed && guard && !guard(proceed)) {
    isTakenBack = true
    history.go(-by)
    return
  }
  isAllowed = false
  notePosition()
  place = next
  for (const listener of listeners) listener()
})

function notePosition(): void {
  // The browser would move the page that is still shown.
  history.scrollRestoration = 'manual'
  scrolled[place] = scrollY
}

// After a reload the browser knows best.
addEventListener('pagehide', () => {
  history.scrollRestoration = 'auto'
})

export const scrollToPlace = (): void => scrollTo(0, scrolled[place] ?? 0)

export function onNavigation(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function guardLeaving(next: Guard): () => void {
  guard = next
  return () => {
    if (guard === next) guard = undefined
  }
}
