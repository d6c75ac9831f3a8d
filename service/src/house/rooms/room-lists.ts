import { hash } from 'node:crypto'
import { hasChosenRooms, type Room } from '@hypocaust/domain'
import type { Clock } from '../../base/clock.ts'
import type { Store } from '../../store/store.ts'
import { type Membership, roomsSeen } from '../membership.ts'
import type { RoomsRevision } from '../revisions.ts'
import { roomsOf } from './rooms.ts'
import { roomView, turnsOf } from './view.ts'

/** The rooms of a building as they are sent. */
interface RoomList {
  text: string
  /** Another one for every other text: which revision it shows, and from when on by time alone. */
  tag: string
}

interface Kept extends RoomList, RoomsRevision {
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
  readonly #writer: string
  readonly #serialise: (rooms: Room[]) => string
  readonly #kept = new Map<string, Kept>()
  #characters = 0

  /** `writer` is part of each tag: another version of the service may write the same rooms another way. */
  constructor(store: Store, clock: Clock, writer: string, serialise: (rooms: Room[]) => string = JSON.stringify) {
    this.#store = store
    this.#clock = clock
    this.#writer = writer
    this.#serialise = serialise
  }

  /** `revision` was read before: the rooms that are read now are at least as new. */
  async of(building: RoomsRevision & { id: string }, membership: Membership): Promise<RoomList> {
    const { id, revisedAt, liveRevision } = building
    const nowMs = Math.floor(this.#clock.now())
    const last = this.#kept.get(id + chosenOf(membership))
    const isRight = last?.revisedAt === revisedAt && last.liveRevision === liveRevision
    if (isRight && last.fromMs <= nowMs && nowMs < last.untilMs) return last
    const rows = roomsSeen(membership, await roomsOf(this.#store, id), (row) => row.id)
    const turns = rows.flatMap(turnsOf)
    const fromMs = Math.max(0, ...turns.filter((turn) => turn <= nowMs))
    const untilMs = Math.min(Number.POSITIVE_INFINITY, ...turns.filter((turn) => turn > nowMs))
    const text = this.#serialise(rows.map((row) => roomView(row, nowMs)))
    const numbers = [revisedAt, liveRevision, fromMs].map((number) => number.toString(36))
    const chosen = chosenOf(membership)
    const mark = [...numbers, ...(chosen === '' ? [] : [digestOf(chosen)])].join('-')
    const tag = `"${this.#writer}-${mark}"`
    const list = { text, tag, revisedAt, liveRevision, fromMs, untilMs }
    this.#keep(id + chosen, list)
    return list
  }

  #keep(name: string, list: Kept): void {
    this.#drop(name)
    this.#kept.set(name, list)
    this.#characters += list.text.length
    for (const oldest of this.#kept.keys()) {
      if (this.#characters <= MOST_CHARACTERS) return
      this.#drop(oldest)
    }
  }

  #drop(name: string): void {
    this.#characters -= this.#kept.get(name)?.text.length ?? 0
    this.#kept.delete(name)
  }
}

/** Guests of other rooms get other lists. */
const chosenOf = ({ role, rooms }: Membership): string => (hasChosenRooms(role) ? (rooms ?? '') : '')

const digestOf = (chosen: string): string => hash('sha256', chosen, 'base64url').slice(0, 6)
