import { useSyncExternalStore } from 'react'
import { BASE } from './base.ts'

/** How current the page is: live, or the last known state from the device's own store. */
type Freshness = { kind: 'live' } | { kind: 'old'; asOf: number | null }

let freshness: Freshness = { kind: 'live' }
let answeredAt: number | null = null
const listeners = new Set<() => void>()

const answers = new Map<string, number>()

/** When the service last answered for a path, by its clock. */
export const answeredAtOf = (path: string): number | undefined => answers.get(path)

/** An answer tells when it was given, also when the service worker has kept it since. */
export function noteAnswer(path: string, response: Response): void {
  const at = Date.parse(response.headers.get('date') ?? '')
  if (Number.isNaN(at)) return
  answers.set(path.replace(/\?.*/, ''), at)
  answeredAt = Math.max(answeredAt ?? 0, at)
  if (freshness.kind === 'old') set({ kind: 'old', asOf: answeredAt })
}

export const noteConnection = (): void => set({ kind: 'live' })

/** Asked of the service itself, past everything kept: is it there? */
export async function checkConnection(): Promise<boolean> {
  const isThere = await fetch(`${BASE}/health/live`, { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  )
  set(isThere ? { kind: 'live' } : { kind: 'old', asOf: answeredAt })
  return isThere
}

function set(next: Freshness): void {
  freshness = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useFreshness = (): Freshness => useSyncExternalStore(subscribe, () => freshness)
