import { HypocaustError } from './error.ts'
import type { Building, Room } from './generated/types.ts'
import { type Surroundings, waitMsAfter } from './retry.ts'

/** A building and its rooms as they were at one look. */
export interface Snapshot {
  building: Building
  rooms: Room[]
}

export interface WatchOptions {
  /** Between two looks; 30 s unless given. Sensors do not report more often. */
  intervalMs?: number
  /** Ends the loop. */
  signal?: AbortSignal
  /** Called at each look that failed and will be repeated; without it trouble is silent. */
  onTrouble?: (error: HypocaustError) => void
}

/** A failure inside the service, and a name that was known a moment ago, are worth another look: there is no hurry. */
const passesInTime = ({ isTransient, status = 0, code }: HypocaustError, hasSeen: boolean): boolean =>
  isTransient || status >= 500 || (code === 'unknown_host' && hasSeen)

type Look = (signal?: AbortSignal) => Promise<Snapshot>

const INTERVAL_MS = 30_000

/** The first look, then each that shows something else or comes after trouble. Passing trouble is waited out, any other ends the loop. */
export async function* watch(
  look: Look,
  { intervalMs = INTERVAL_MS, signal, onTrouble }: WatchOptions,
  surroundings: Surroundings,
): AsyncGenerator<Snapshot, void, void> {
  let shown = ''
  let failures = 0
  while (!signal?.aborted) {
    let waitMs = intervalMs
    try {
      const snapshot = await look(signal)
      const text = JSON.stringify(snapshot)
      const isNews = text !== shown || failures > 0
      failures = 0
      shown = text
      if (isNews) yield snapshot
    } catch (error) {
      if (signal?.aborted) return
      if (!(error instanceof HypocaustError)) throw error
      if (!passesInTime(error, shown !== '')) throw error
      onTrouble?.(error)
      waitMs = Math.max(intervalMs, waitMsAfter(error, failures++, surroundings.random()))
    }
    await surroundings.sleep(waitMs, signal).catch((reason: unknown) => {
      if (!signal?.aborted) throw reason
    })
  }
}
