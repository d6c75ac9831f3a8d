import type { Journal } from '../journal.ts'

export interface RoomSettings {
  target: number
  isManual: boolean
  manual: number
}

/** The fields of a room on `/v1` that show what was asked for. */
interface ShownRoom {
  target_temperature: number
  manual_power: { enabled: boolean; power: number }
}

export type Change = (settings: RoomSettings) => RoomSettings

const LAW = 'the newest change wins'

/** What a room may have been set to: one state, or several while the outcome of a request is not known. */
export class PossibleSettings {
  readonly #journal: Journal
  readonly #room: string
  #possible: RoomSettings[]
  /** Rises with every request that may change the room. */
  writes = 0
  underWay = 0

  constructor(journal: Journal, room: string, first: RoomSettings) {
    this.#journal = journal
    this.#room = room
    this.#possible = [first]
  }

  begin(): void {
    this.writes++
    this.underWay++
  }

  /** `unknown`: no answer came, or one that does not say whether it was done. */
  end(change: Change, outcome: 'done' | 'refused' | 'unknown'): void {
    this.underWay--
    if (outcome === 'refused') return
    const changed = this.#possible.map(change)
    this.#possible = distinct(outcome === 'done' ? changed : [...this.#possible, ...changed])
  }

  /** What a read shows that no write has overlapped. */
  shown({ target_temperature, manual_power }: ShownRoom): void {
    const seen = { target: target_temperature, isManual: manual_power.enabled, manual: manual_power.power }
    const isSeen = (settings: RoomSettings) => JSON.stringify(settings) === JSON.stringify(seen)
    if (!this.#possible.some(isSeen))
      this.#journal.violated(
        LAW,
        `${this.#room} shows ${JSON.stringify(seen)}, and was set to ${this.#possible.map((each) => JSON.stringify(each)).join(' or ')}`,
      )
    this.#possible = [seen]
  }

  /** Where it is known: what its valve is to do whatever the control thinks. */
  get heldPower(): number | undefined {
    const [only, ...others] = this.#possible
    return only && others.length === 0 && only.isManual ? only.manual : undefined
  }
}

const distinct = (settings: RoomSettings[]): RoomSettings[] => [
  ...new Map(settings.map((settings) => [JSON.stringify(settings), settings])).values(),
]
