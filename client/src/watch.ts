import { HypocaustError } from './error.ts'
import type { Building, Room, State } from './generated/types.ts'
import { passesInTime, type Surroundings, waitMsAfter } from './retry.ts'

/** A building as it was at one look; the building and its rooms alone where the service is older than `getState`. */
export type Snapshot = Pick<State, 'building' | 'rooms'> & Partial<State>

export interface WatchOptions {
  /** Between two looks where no request can wait for a change; 30 s unless given. */
  intervalMs?: number
  /** Ends the loop. */
  signal?: AbortSignal
  /** Called at each request that failed and will be repeated; without it trouble is silent. */
  onTrouble?: (error: HypocaustError) => void
}

/** The requests a watch consists of; each is sent once. */
export interface WatchedHouse {
  /** Answers when the state is another than the known one, or with that one after a while; at once where none is known. */
  state(known: State | undefined): Promise<State>
  building(): Promise<Building>
  rooms(): Promise<Room[]>
  /** Whether `state` waits, or answers at once. */
  waits: boolean
}

const INTERVAL_MS = 30_000
/** A house may change more often than anybody looks: this stays within a key's budget. */
const BETWEEN_CHANGES_MS = 500

/** The first look, then each that shows something else or comes after trouble. Passing trouble is waited out, any other ends the loop. */
export async function* watch(
  house: WatchedHouse,
  { intervalMs = INTERVAL_MS, signal, onTrouble }: WatchOptions,
  surroundings: Surroundings,
): AsyncGenerator<Snapshot, void, void> {
  let hasState = true
  let known: State | undefined
  let snapshot: Snapshot | undefined
  let failures = 0
  while (!signal?.aborted) {
    let waitMs: number
    try {
      const before = snapshot
      const state: State | undefined = hasState ? await stateOf(house, failures > 0 ? undefined : known) : undefined
      hasState = state !== undefined
      known = state
      snapshot = state ?? (await look(house))
      const isNews = failures > 0 || !before || shownText(before) !== shownText(snapshot)
      failures = 0
      if (isNews) yield snapshot
      waitMs = hasState && house.waits ? BETWEEN_CHANGES_MS : intervalMs
    } catch (error) {
      if (signal?.aborted) return
      if (!(error instanceof HypocaustError)) throw error
      if (!passesInTime(error, snapshot !== undefined)) throw error
      onTrouble?.(error)
      // It may have been updated meanwhile.
      hasState = true
      waitMs = waitMsAfter(error, failures++, surroundings.random())
    }
    await surroundings.sleep(waitMs, signal).catch((reason: unknown) => {
      if (!signal?.aborted) throw reason
    })
  }
}

/** Undefined where the service has none; a building that is gone is then missed by the look. */
async function stateOf(house: WatchedHouse, known: State | undefined): Promise<State | undefined> {
  try {
    return await house.state(known)
  } catch (error) {
    if (error instanceof HypocaustError && error.status === 404) return undefined
    throw error
  }
}

async function look(house: WatchedHouse): Promise<Snapshot> {
  const [building, rooms] = await Promise.all([house.building(), house.rooms()])
  return { building, rooms }
}

/** A heartbeat alone is no change. */
const shownText = ({ building: { last_seen: _, ...building }, revision: __, ...rest }: Snapshot): string =>
  JSON.stringify([building, rest])
