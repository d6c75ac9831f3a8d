import { setTimeout } from 'node:timers/promises'

/** Waits for work, but not for longer. */
export async function atMost(limitMs: number, work: Promise<unknown>): Promise<void> {
  const over = new AbortController()
  await Promise.race([work, setTimeout(limitMs, undefined, { signal: over.signal }).catch(() => undefined)])
  over.abort()
}
