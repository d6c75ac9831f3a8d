import type { Room } from '@hypocaust/domain'
import type { Clock } from '../../base/clock.ts'
import type { Store } from '../../store/store.ts'
import type { RoomsRevision } from '../revisions.ts'
import { roomsOf } from './rooms.ts'
import { roomView, turnsOf } from './view.ts'

/** The rooms of a building as they are sent. */
export interface RoomList {
  text: string
  /** Another one for every other text: which revision it shows, and from when on by time alone. */
  mark: string
}

interface Kept extends RoomList {
  revision: RoomsRevision
  /** While the clock is between these two, the text is right. */
  fromMs: number
  untilMs: number
}

const MOST_CHARACTERS = 16 * 1024 * 1024

/**
 * The lists that were asked for last, as text. Whether one still holds is seen from the revision of its building, so it
 * may be dropped at any moment, and nothing has to be told when something changes.
 */
export class RoomLists {
  readonly #store: Store
  readonly #clock: Clock
  readonly #kept = new Map<string, Kept>()
  #characters = 0

  constructor(store: Store, clock: Clock) {
    this.#store = store
    this.#clock = clock
  }

  /** `revision` was read before: the rooms that are read now are at least as new. */
  async of(
    { id, ...revision }: RoomsRevision & { id: string },
    serialise: (rooms: Room[]) => string,
  ): Promise<RoomList> {
    const nowMs = Math.floor(this.#clock.now())
    const kept = this.#kept.get(id)
    if (kept && isSame(kept.revision, revision) && kept.fromMs <= nowMs && nowMs < kept.untilMs) return kept
    const rows = await roomsOf(this.#store, id)
    const turns = rows.flatMap(turnsOf)
    const fromMs = Math.max(0, ...turns.filter((turn) => turn <= nowMs))
    const untilMs = Math.min(Number.POSITIVE_INFINITY, ...turns.filter((turn) => turn > nowMs))
    const text = serialise(rows.map((row) => roomView(row, nowMs)))
    const mark = [revision.revisedAt, revision.liveRevision, fromMs].map((number) => number.toString(36)).join('-')
    const list = { text, mark, revision, fromMs, untilMs }
    this.#keep(id, list)
    return list
  }

  #keep(id: string, list: Kept): void {
    this.#drop(id)
    this.#kept.set(id, list)
    this.#characters += list.text.length
    for (const oldest of this.#kept.keys()) {
      if (this.#characters <= MOST_CHARACTERS) return
      this.#drop(oldest)
    }
  }

  #drop(id: string): void {
    this.#characters -= this.#kept.get(id)?.text.length ?? 0
    this.#kept.delete(id)
  }
}

const isSame = (a: RoomsRevision, b: RoomsRevision): boolean =>
  a.revisedAt === b.revisedAt && a.liveRevision === b.liveRevision
