import type { Decision } from '@hypocaust/control'
import { type AlertFacts, timestampOf } from '@hypocaust/domain'
import type { RoomFacts, State } from './facts.ts'

/** With less than this many rooms nobody can say whether the loop or the water is at fault. */
const SEVERAL = 2

type Short = NonNullable<Decision['short']>
type Heated = { room: RoomFacts; airC: number; short: Short | null }

/** Rooms that get all the heat there is and stay too cold: because of the water for all of them, or of one loop. */
export class Shortage {
  readonly #heated: Heated[]

  constructor(rooms: RoomFacts[]) {
    this.#heated = rooms.flatMap((room) => heatedByWater(room) ?? [])
  }

  /** Most of the rooms with water in their floors. */
  get supply(): State {
    const short = this.#short().length
    if (this.#heated.length === 0) return 'unknown'
    if (short >= SEVERAL && short > this.#heated.length / 2) return 'holds'
    return short > 0 ? 'unknown' : 'gone'
  }

  /** This room alone, and it is colder than the others: in a warm one the target is too high. */
  loop({ id }: RoomFacts): State {
    const own = this.#heated.find(({ room }) => room.id === id)
    if (!own) return 'unknown'
    if (!own.short) return 'gone'
    const warm = this.#heated.filter(({ short }) => !short)
    const isColder = own.airC < warm.reduce((sum, { airC }) => sum + airC / warm.length, 0)
    return warm.length > 0 && isColder ? 'holds' : 'lapsed'
  }

  /** How far the rooms are too cold, and since when. */
  evidence(rooms: RoomFacts[]): Pick<AlertFacts, 'since' | 'value'> {
    const short = this.#short().filter(({ room }) => rooms.includes(room))
    if (short.length === 0) return { since: null, value: null }
    const belowK = short.reduce((sum, { short: { belowK } }) => sum + belowK, 0) / short.length
    return { since: timestampOf(Math.min(...short.map(({ short: { sinceMs } }) => sinceMs))), value: tenth(belowK) }
  }

  #short() {
    return this.#heated.flatMap(({ room, short }) => (short ? [{ room, short }] : []))
  }
}

export const isShort = ({ decisions, watchedSince }: RoomFacts): boolean =>
  watchedSince === null && decisions.at(-1)?.short !== undefined

function heatedByWater(room: RoomFacts): Heated | null {
  const latest = room.decisions.at(-1)
  if (room.floorType === 'electric' || room.watchedSince !== null) return null
  if (latest?.mode !== 'heat' || latest.air === null) return null
  return { room, airC: latest.air.airC, short: latest.short ?? null }
}

const tenth = (value: number) => Math.round(10 * value) / 10
