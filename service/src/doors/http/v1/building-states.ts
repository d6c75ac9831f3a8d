import { hash } from 'node:crypto'
import { hasChosenRooms, type PlanProposal } from '@hypocaust/domain'
import type { Clock } from '../../../base/clock.ts'
import { airOf } from '../../../house/air/air.ts'
import { awayIn } from '../../../house/buildings/away.ts'
import { type Availability, type BuildingRow, buildingView, findBuilding } from '../../../house/buildings/buildings.ts'
import { stampOf } from '../../../house/buildings/stamps.ts'
import { type HeldOutlook, outlooksOf } from '../../../house/heating/outlook.ts'
import { roomsSeen } from '../../../house/membership.ts'
import { proposalsOf, proposalView } from '../../../house/rooms/feedback.ts'
import { roomsOf } from '../../../house/rooms/rooms.ts'
import { overrideOf, overrideView, readScheduleRows } from '../../../house/rooms/schedule-inputs.ts'
import { powerOf } from '../../../house/rooms/steering.ts'
import { roomView, turnsOf } from '../../../house/rooms/view.ts'
import { limitTurns, powerLimitIn } from '../../../house/source/power-limit.ts'
import { standingAlerts } from '../../../people/alerts/alerts.ts'
import { concernsReader } from '../../../people/alerts/readers.ts'
import type { ReachedBuilding } from '../../../people/keys/keys.ts'
import type { Store } from '../../../store/store.ts'
import { costOfState } from '../cost.ts'
import { tagOf } from '../etag.ts'
import { outlookView } from '../outlook-view.ts'
import type { KeptAnswer } from './kept-answer.ts'

/** All of a building that a panel shows, together and in parts. */
export interface KeptState extends KeptAnswer {
  alerts: KeptAnswer
  /** These two by the ids of rooms. */
  outlooks: Map<string, KeptAnswer>
  air: Map<string, KeptAnswer>
  /** Until then it holds while the stamp of its building is this one. */
  untilMs: number
  stamp: string
}

interface StateParts {
  store: Store
  clock: Clock
  availability: Availability
}

interface StateWriters {
  state(state: unknown): string
  alerts(alerts: unknown): string
  outlook(outlook: unknown): string
  air(air: unknown): string
}

/** Some alerts depend on how long something has lasted. */
const MADE_ANEW_AFTER_MS = 60_000
const MOST_CHARACTERS = 16 * 1024 * 1024

/**
 * The states that were asked for last, as text, for all who see the same. A state holds as long as the revision of its
 * building, its last heartbeat and its weather do, so it may be dropped at any moment.
 */
export class BuildingStates {
  readonly #parts: StateParts
  readonly #write: StateWriters
  readonly #kept = new Map<string, KeptState>()
  readonly #making = new Map<string, Promise<KeptState>>()
  readonly #unpaid = new WeakMap<KeptState, number>()
  #characters = 0

  constructor(parts: StateParts, write: StateWriters) {
    this.#parts = parts
    this.#write = write
  }

  /** `reached` was read before: what is read now is at least as new. Undefined where the building is gone meanwhile. */
  async of(reached: ReachedBuilding): Promise<KeptState | undefined> {
    const { store, clock } = this.#parts
    const row = await findBuilding(store, reached.id)
    if (!row) return undefined
    const name = nameOf(reached)
    const stamp = stampOf({ ...row, ...reached })
    const kept = this.#kept.get(name)
    if (kept?.stamp === stamp && clock.now() < kept.untilMs) return kept
    const under = `${name} ${stamp}`
    const making = this.#making.get(under) ?? this.#make(reached, row, stamp).finally(() => this.#making.delete(under))
    this.#making.set(under, making)
    const made = await making
    this.#keep(name, made)
    return made
  }

  /** What making a state costs its first reader on top; nothing for those who find it made. */
  bill(state: KeptState): number {
    const units = this.#unpaid.get(state) ?? 0
    this.#unpaid.delete(state)
    return units
  }

  async #make(reached: ReachedBuilding, row: BuildingRow, stamp: string): Promise<KeptState> {
    const { store, clock, availability } = this.#parts
    const { id, membership } = reached
    const nowMs = Math.floor(clock.now())
    const [allRooms, schedules, alerts, outlooks, air] = await Promise.all([
      roomsOf(store, id),
      readScheduleRows(store, id),
      standingAlerts(store, [id], availability, nowMs),
      outlooksOf(store, availability, id, nowMs),
      airOf(store, id, nowMs),
    ])
    const proposals = await proposalsOf(store, id, schedules, nowMs)
    const rooms = roomsSeen(membership, allRooms, (room) => room.id)
    const scheduleOf = new Map(schedules.rooms.map((room) => [room.id, room]))
    const shown = rooms.flatMap((room) => {
      const [wish, outlook] = [scheduleOf.get(room.id), outlooks.get(room.id)]
      return wish && outlook ? [{ room, wish, outlook }] : []
    })
    const state = {
      building: buildingView(row, availability, nowMs),
      rooms: rooms.map((room) => roomView(room, nowMs)),
      alerts: alerts.filter(({ room_id: roomId }) => concernsReader({ ...membership, roomId })),
      away: awayIn(schedules.building, nowMs),
      power_limit: powerLimitIn(schedules.building, nowMs),
      overrides: Object.fromEntries(shown.map(({ room, wish }) => [room.id, overrideView(wish, nowMs)])),
      outlooks: Object.fromEntries(shown.map(({ room, outlook }) => [room.id, outlookView(outlook, powerOf(room))])),
      air: Object.fromEntries(rooms.flatMap(({ id }) => (air.has(id) ? [[id, air.get(id)]] : []))),
      proposals: Object.fromEntries(rooms.map(({ id }) => [id, shownProposal(proposals.get(id))])),
      timezone: row.timezone,
    }
    const revision = hash('sha256', this.#write.state({ ...state, revision: '' }), 'base64url').slice(0, 32)
    const turns = [
      nowMs + MADE_ANEW_AFTER_MS,
      ...rooms.flatMap(turnsOf),
      ...(row.lastSeenAt === null ? [] : [row.lastSeenAt + availability.silentAfterS * 1000 + 1]),
      ...(schedules.building.awayUntil === null ? [] : [schedules.building.awayUntil]),
      ...limitTurns(schedules.building),
      ...shown.flatMap(({ wish, outlook }) => [overrideOf(wish)?.untilMs ?? 0, untilOf(outlook)]),
    ]
    const untilMs = Math.min(...turns.filter((turn) => turn > nowMs))
    const made = {
      text: this.#write.state({ ...state, revision }),
      tag: `"${revision}"`,
      alerts: tagged(this.#write.alerts(state.alerts)),
      outlooks: taggedEach(state.outlooks, this.#write.outlook),
      air: taggedEach(state.air, this.#write.air),
      untilMs,
      stamp,
    }
    this.#unpaid.set(made, costOfState(allRooms.length))
    return made
  }

  #keep(name: string, state: KeptState): void {
    this.#drop(name)
    this.#kept.set(name, state)
    this.#characters += sizeOf(state)
    for (const oldest of this.#kept.keys()) {
      if (this.#characters <= MOST_CHARACTERS) return
      this.#drop(oldest)
    }
  }

  #drop(name: string): void {
    const state = this.#kept.get(name)
    this.#characters -= state ? sizeOf(state) : 0
    this.#kept.delete(name)
  }
}

const tagged = (text: string): KeptAnswer => ({ text, tag: tagOf(text) })

const taggedEach = (parts: Record<string, unknown>, write: (part: unknown) => string): Map<string, KeptAnswer> =>
  new Map(Object.entries(parts).map(([roomId, part]) => [roomId, tagged(write(part))]))

/** The parts are about as long as the whole. */
const sizeOf = ({ text }: KeptState): number => 2 * text.length

const shownProposal = (proposal: PlanProposal | undefined) => (proposal ? proposalView(proposal) : null)

const untilOf = ({ setpoint }: HeldOutlook): number => setpoint.untilMs

/** Guests of other rooms see something else. */
const nameOf = ({ id, membership: { role, rooms } }: ReachedBuilding): string =>
  hasChosenRooms(role) ? `${id} ${rooms}` : id
