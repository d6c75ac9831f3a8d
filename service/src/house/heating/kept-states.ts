import type { RoomControl } from '@hypocaust/control'
import { MINUTE_MS } from '@hypocaust/domain'
import type { Clock } from '../../base/clock.ts'
import { isSameList } from '../../base/same-list.ts'
import { statement } from '../../store/statement.ts'
import type { Store } from '../../store/store.ts'
import type { Compacted } from './compact.ts'

/** Some kilobytes each. */
const MOST_KEPT = 5000
/** A room of which nothing was kept for so long is gone, or another process steps it: a quiet one is stepped more often. */
const FORGOTTEN_AFTER_MS = 30 * MINUTE_MS

interface Versioned {
  id: string
  version: number | null
}

interface Kept {
  version: number
  state: Compacted<RoomControl>
  /** What the step went by, see `settingsIn`. */
  settings: unknown[]
}

interface Dated extends Kept {
  keptMs: number
}

/**
 * The states that this process wrote, so that the next step of a room need not read them again. The version in the
 * database says whether one still holds.
 */
export class KeptStates {
  readonly #clock: Clock
  readonly #states = new Map<string, Dated>()
  #sweptMs = Number.NEGATIVE_INFINITY

  constructor(clock: Clock) {
    this.#clock = clock
  }

  of({ id, version }: Versioned): Compacted<RoomControl> | undefined {
    const kept = this.#states.get(id)
    return kept?.version === version ? kept.state : undefined
  }

  /** Whether the room's state comes from a step of this process that went by the same settings. */
  isOf({ id, version }: Versioned, settings: unknown[]): boolean {
    const kept = this.#states.get(id)
    return kept?.version === version && isSameList(kept.settings, settings)
  }

  /** Of too many rooms some are kept and not the latest: they take turns, so the oldest is the one that is needed next. */
  keep(roomId: string, { version, state, settings }: Kept): void {
    const keptMs = this.#clock.elapsedMs()
    const before = this.#states.get(roomId)
    if (!before && !this.#hasRoom(keptMs)) return
    const isAsBefore = before !== undefined && isSameList(before.settings, settings)
    this.#states.set(roomId, { version, state, settings: isAsBefore ? before.settings : settings, keptMs })
  }

  #hasRoom(nowMs: number): boolean {
    if (this.#states.size >= MOST_KEPT && nowMs - this.#sweptMs >= MINUTE_MS) {
      this.#sweptMs = nowMs
      for (const [id, { keptMs }] of this.#states) if (nowMs - keptMs >= FORGOTTEN_AFTER_MS) this.#states.delete(id)
    }
    return this.#states.size < MOST_KEPT
  }
}

/**
 * The state of every room that has one. A state written after its version was read may come back for it: the write that
 * follows is refused then, and the room is read anew.
 */
export async function statesOf(
  store: Store,
  rooms: Versioned[],
  kept: KeptStates | undefined,
): Promise<Map<string, RoomControl>> {
  const states = new Map<string, RoomControl>()
  const missing: string[] = []
  for (const room of rooms) {
    const state = kept?.of(room)?.value
    if (state) states.set(room.id, state)
    else if (room.version !== null) missing.push(room.id)
  }
  if (missing.length === 0) return states
  const rows = await stateTexts.all(store, { roomIds: store.statements.list(missing) })
  for (const { roomId, state } of rows) states.set(roomId, JSON.parse(state) as RoomControl)
  return states
}

const stateTexts = statement((db, { roomIds }: { roomIds: unknown }, { isIn }) =>
  db.selectFrom('controlStates').select(['roomId', 'state']).where(isIn('room_id', roomIds)),
)
