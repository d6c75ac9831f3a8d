import { useSyncExternalStore } from 'react'

const TICK_MS = 15_000
/** Less than this is the way the message took, not another time. */
const CLOCKS_AGREE_MS = 2000

let aheadMs = 0
let now = Date.now()
const listeners = new Set<() => void>()
let timer: number | undefined

/** The service's time: ages follow the clock that stamped the readings, not that of this device. */
export const serviceNow = (): number => Date.now() + aheadMs

export function noteServiceTime(atMs: number): void {
  const nowAheadMs = atMs - Date.now()
  if (Math.abs(nowAheadMs - aheadMs) < CLOCKS_AGREE_MS) return
  aheadMs = nowAheadMs
  tick()
}

function tick(): void {
  now = serviceNow()
  for (const each of listeners) each()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  if (timer === undefined) {
    now = serviceNow()
    timer = window.setInterval(tick, TICK_MS)
  }
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** The service's time, to a quarter of a minute: ages on the page grow by themselves. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => now)
