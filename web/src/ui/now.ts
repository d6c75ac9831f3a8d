import { useSyncExternalStore } from 'react'

const TICK_MS = 15_000
let now = Date.now()
const listeners = new Set<() => void>()
let timer: number | undefined

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= window.setInterval(() => {
    now = Date.now()
    for (const each of listeners) each()
  }, TICK_MS)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** The time, to a quarter of a minute: ages on the page grow by themselves. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => now)
