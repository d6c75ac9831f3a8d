import { useSyncExternalStore } from 'react'

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
