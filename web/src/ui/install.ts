import { useSyncExternalStore } from 'react'

/** What Chromium offers; other browsers have the entry in their own menu. */
interface InstallOffer extends Event {
  prompt(): Promise<unknown>
}

let offer: InstallOffer | undefined
const listeners = new Set<() => void>()

function set(next: InstallOffer | undefined): void {
  offer = next
  for (const listener of listeners) listener()
}

/** From the start on: the browser offers it once, whatever page is open. */
export function awaitInstallOffer(): void {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    set(event as InstallOffer)
  })
  addEventListener('appinstalled', () => set(undefined))
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Asks the browser to install the app; undefined where it does not offer to. */
export function useInstall(): (() => void) | undefined {
  const current = useSyncExternalStore(subscribe, () => offer)
  if (!current) return undefined
  return () => {
    void current.prompt()
    set(undefined)
  }
}
