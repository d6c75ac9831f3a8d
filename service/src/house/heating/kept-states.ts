import type { RoomControl } from '@hypocaust/control'
import { isSameList } from '../../base/same-list.ts'
import { statement } from '../../store/statement.ts'
import type { Store } from '../../store/store.ts'
import type { Compacted } from './compact.ts'

/** Some kilobytes each. Beyond them the one that was kept first goes. */
const MOST_KEPT = 5000

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

/**
 * The states that this process wrote, so that the next step of a room need not read them again. The version in the
 * database says whether one still holds.
 */
export class KeptStates {
  readonly #states = new Map<string, Kept>()

  of({ id, version }: Versioned): Compacted<RoomControl> | undefined {
    const kept = this.#states.get(id)
    return kept?.version === version ? kept.state : undefined
  }

  /** Whether the room's state comes from a step of this process that went by the same settings. */
  isOf({ id, version }: Versioned, settings: unknown[]): boolean {
    const kept = this.#states.get(id)
    return kept?.version === version && isSameList(kept.settings, settings)
  }

  keep(roomId: string, { version, state, settings }: Kept): void {
    const before = this.#states.get(roomId)
    const isAsBefore = before !== undefined && isSameList(before.settings, settings)
    this.#states.set(roomId, { version, state, settings: isAsBefore ? before.settings : settings })
    if (this.#states.size <= MOST_KEPT) return
    const [oldest] = this.#states.keys()
    if (oldest !== undefined) this.#states.delete(oldest)
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
