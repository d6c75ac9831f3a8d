import type { Clock } from '../../base/clock.ts'
import { awayIn } from '../../house/buildings/away.ts'
import { type Availability, type BuildingRow, buildingView, isAvailable } from '../../house/buildings/buildings.ts'
import { type Membership, roomsSeen } from '../../house/membership.ts'
import type { RoomsRevision } from '../../house/revisions.ts'
import { roomsOf } from '../../house/rooms/rooms.ts'
import { overrideOf, overrideView, readScheduleRows } from '../../house/rooms/schedule-inputs.ts'
import { roomView, turnsOf } from '../../house/rooms/view.ts'
import { limitTurns, powerLimitIn } from '../../house/source/power-limit.ts'
import type { Store } from '../../store/store.ts'
import { standingAlerts } from '../alerts/alerts.ts'
import { concernsReader } from '../alerts/readers.ts'
import { markOf, type SeenBuilding } from './cursor.ts'

export interface MarkParts {
  store: Store
  clock: Clock
  availability: Availability
}

/** What is shown of a building to those who see all of it, in parts that a guest sees or not. */
interface Made {
  stamp: string
  untilMs: number
  /** The building without its alerts. */
  mark: string
  alerts: { roomId: string | null; mark: string }[]
  rooms: { id: string; mark: string }[]
}

/** Some alerts depend on how long something has lasted. */
const MADE_ANEW_AFTER_MS = 60_000
const MOST_KEPT = 10_000

/** Marks of what is shown of buildings, made anew only where something may have changed. */
export class BuildingMarks {
  readonly #parts: MarkParts
  readonly #kept = new Map<string, Made>()

  constructor(parts: MarkParts) {
    this.#parts = parts
  }

  /** `row` was read after the revision, which may be older than what it shows, never newer. */
  async of(row: BuildingRow & Membership, revision: RoomsRevision): Promise<SeenBuilding> {
    const made = await this.#made(row, revision)
    const alerts = made.alerts.filter(({ roomId }) => concernsReader({ role: row.role, rooms: row.rooms, roomId }))
    const mark = markOf([made.mark, ...alerts.map((alert) => alert.mark)].join())
    return { id: row.id, mark, rooms: roomsSeen(row, made.rooms, ({ id }) => id) }
  }

  async #made(row: BuildingRow, { revisedAt, liveRevision }: RoomsRevision): Promise<Made> {
    const { clock, availability } = this.#parts
    const nowMs = Math.floor(clock.now())
    // The time of the last heartbeat changes every minute and says nothing new.
    const available = isAvailable(row.lastSeenAt, availability, nowMs)
    const stamp = [revisedAt, liveRevision, available, row.updatedAt].join('.')
    const kept = this.#kept.get(row.id)
    if (kept?.stamp === stamp && nowMs < kept.untilMs) return kept
    const made = await this.#make(row, stamp, nowMs)
    this.#kept.delete(row.id)
    this.#kept.set(row.id, made)
    const [oldest] = this.#kept.size > MOST_KEPT ? this.#kept.keys() : []
    if (oldest !== undefined) this.#kept.delete(oldest)
    return made
  }

  async #make(row: BuildingRow, stamp: string, nowMs: number): Promise<Made> {
    const { store, availability } = this.#parts
    const [rooms, schedules, alerts] = await Promise.all([
      roomsOf(store, row.id),
      readScheduleRows(store, row.id),
      standingAlerts(store, [row.id], availability, nowMs),
    ])
    const { last_seen: _, ...building } = buildingView(row, availability, nowMs)
    const scheduleOf = new Map(schedules.rooms.map((row) => [row.id, row]))
    const override = (id: string) => scheduleOf.get(id) ?? { override: null }
    const turns = [
      nowMs + MADE_ANEW_AFTER_MS,
      ...rooms.flatMap(turnsOf),
      ...(schedules.building.awayUntil === null ? [] : [schedules.building.awayUntil]),
      ...limitTurns(schedules.building),
      ...rooms.map(({ id }) => overrideOf(override(id))?.untilMs ?? 0),
    ]
    const { building: wishes } = schedules
    const ofBuilding = [building, awayIn(wishes, nowMs), powerLimitIn(wishes, nowMs), row.timezone]
    return {
      stamp,
      untilMs: Math.min(...turns.filter((turn) => turn > nowMs)),
      mark: markOf(JSON.stringify(ofBuilding)),
      alerts: alerts.map(({ id: _id, snoozed_until: _until, ...alert }) => ({
        roomId: alert.room_id,
        mark: markOf(JSON.stringify(alert)),
      })),
      rooms: rooms.map((room) => ({
        id: room.id,
        mark: markOf(JSON.stringify([roomView(room, nowMs), overrideView(override(room.id), nowMs)])),
      })),
    }
  }
}
