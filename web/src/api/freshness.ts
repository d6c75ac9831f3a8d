import { useSyncExternalStore } from 'react'

/** How current the page is: answers come live, or the last known ones from the device's own store. */
export type Freshness = { kind: 'live' } | { kind: 'old'; asOf: number | null }

const OLD_AFTER_MS = 90_000

let freshness: Freshness = { kind: 'live' }
const listeners = new Set<() => void>()

export function noteAnswer(response: Response): void {
  const answeredAt = Date.parse(response.headers.get('date') ?? '')
  const isOld = Number.isFinite(answeredAt) && Date.now() - answeredAt > OLD_AFTER_MS
  set(
    isOld || !navigator.onLine
      ? { kind: 'old', asOf: Number.isFinite(answeredAt) ? answeredAt : null }
      : { kind: 'live' },
  )
}

export function noteSilence(): void {
  set({ kind: 'old', asOf: freshness.kind === 'old' ? freshness.asOf : Date.now() })
}

function set(next: Freshness): void {
  if (next.kind === freshness.kind && (next.kind === 'live' || next.asOf === (freshness as { asOf: number }).asOf))
    return
  freshness = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('offline', noteSilence)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) window.removeEventListener('offline', noteSilence)
  }
}

export const useFreshness = (): Freshness => useSyncExternalStore(subscribe, () => freshness)
