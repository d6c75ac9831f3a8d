import { useSyncExternalStore } from 'react'
import { type View, WHOLE_LIST } from './arrange.ts'

let view = WHOLE_LIST
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function change(part: Partial<View>): void {
  view = { ...view, ...part }
  for (const listener of listeners) listener()
}

/** Search and filter stay while the page is open: back from a building, the same list is there. */
export const useView = (): [View, (part: Partial<View>) => void] => [
  useSyncExternalStore(subscribe, () => view),
  change,
]
