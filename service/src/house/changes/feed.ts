import type { Room } from '@hypocaust/domain'
import type { Clock } from '../../base/clock.ts'
import type { Store } from '../../store/store.ts'
import { type Availability, buildingsOf, buildingView } from '../buildings/buildings.ts'
import { isActive, roomsSeen, WHOLE_HOUSE } from '../membership.ts'
import { RoomLists } from '../rooms/room-lists.ts'
import { type AccountRevisions, revisionOf, revisionsOf } from './account-revisions.ts'
import { type ChangedBuilding, changesSince, cursorOf, markOf, type SeenBuilding } from './cursor.ts'

export interface Changes {
  cursor: string
  buildings: ChangedBuilding[]
}

/** Who waits: a person, with a key that may be limited to some buildings. */
export interface Viewer {
  accountId: string
  /** Ids of the buildings the key is limited to, as JSON. */
  buildings: string | null
}

export interface FeedParts {
  store: Store
  clock: Clock
  availability: Availability
}

interface Wait {
  since: string | undefined
  waitMs: number
  /** Ends the wait, with whatever there is by then. */
  signal: AbortSignal
}

interface Look {
  /** Read before the rest, which is at least as new. */
  revision: string
  seen: SeenBuilding[]
}

interface Waiting {
  revision: string
  wake(): void
}

/** How soon a change by another process is seen. */
const TURN_MS = 250
/** What changes without a revision: a building that becomes unavailable, a value that goes stale, the weather. */
const THOROUGH_EVERY_MS = 10_000

/** Lets clients wait until something they can see has changed. One look at the revisions serves all who wait. */
export class ChangeFeed {
  readonly #parts: FeedParts
  readonly #marks: RoomLists
  readonly #waiting = new Map<string, Set<Waiting>>()
  readonly #looks = new Map<string, { running: Promise<Look>; next?: Promise<Look> }>()
  #timer: NodeJS.Timeout | undefined

  constructor(parts: FeedParts) {
    this.#parts = parts
    this.#marks = new RoomLists(parts.store, parts.clock, '', marksOf)
  }

  /** Answers at once where something has changed since, or nothing is known of the cursor. */
  async changes(viewer: Viewer, { since, waitMs, signal }: Wait): Promise<Changes> {
    const untilMs = performance.now() + waitMs
    for (;;) {
      const { revision, seen } = await this.#look(viewer)
      const buildings = changesSince(since, seen)
      const leftMs = untilMs - performance.now()
      if (buildings.length > 0 || signal.aborted || leftMs <= 0) return { cursor: cursorOf(seen), buildings }
      await this.#news(viewer.accountId, revision, Math.min(THOROUGH_EVERY_MS, leftMs), signal)
    }
  }

  /** Until the revision of the account is another, the time is over, or the wait is ended. */
  #news(accountId: string, revision: string, mostMs: number, signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const others = this.#waiting.get(accountId) ?? new Set()
    this.#waiting.set(accountId, others)
    const wake = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', wake)
      others.delete(waiting)
      if (others.size === 0 && this.#waiting.get(accountId) === others) this.#waiting.delete(accountId)
      resolve()
    }
    const waiting = { revision, wake }
    const timer = setTimeout(wake, mostMs)
    others.add(waiting)
    signal.addEventListener('abort', wake)
    this.#timer ??= setTimeout(() => void this.#turn(), TURN_MS)
    return promise
  }

  async #turn(): Promise<void> {
    try {
      this.#wake(await revisionsOf(this.#parts.store, [...this.#waiting.keys()], this.#parts.clock.now()))
    } catch {
      // The database is away for the moment: those who wait look for themselves, and meet the error there.
    }
    this.#timer = this.#waiting.size === 0 ? undefined : setTimeout(() => void this.#turn(), TURN_MS)
  }

  #wake(revisions: AccountRevisions): void {
    for (const [accountId, waiting] of this.#waiting)
      for (const { revision, wake } of [...waiting])
        if (revisions.has(accountId) && revisions.get(accountId) !== revision) wake()
  }

  /** Shared by all who ask during the look before it; one that is under way may have missed what they ask about. */
  #look(viewer: Viewer): Promise<Look> {
    const under = this.#looks.get(nameOf(viewer))
    if (!under) return this.#begin(viewer)
    const begin = () => this.#begin(viewer)
    under.next ??= under.running.then(begin, begin)
    return under.next
  }

  #begin(viewer: Viewer): Promise<Look> {
    const look: { running: Promise<Look>; next?: Promise<Look> } = {
      running: this.#see(viewer).finally(() => {
        if (!look.next) this.#looks.delete(nameOf(viewer))
      }),
    }
    this.#looks.set(nameOf(viewer), look)
    return look.running
  }

  /** The revision is of all buildings of the person, as the turns compare it; what is seen is what the key reaches. */
  async #see({ accountId, buildings }: Viewer): Promise<Look> {
    const { store, clock, availability } = this.#parts
    const revisions = await store.db
      .selectFrom('buildings')
      .innerJoin('members', 'members.buildingId', 'buildings.id')
      .select(['buildings.id', 'revisedAt', 'liveRevision'])
      .where('members.accountId', '=', accountId)
      .where(isActive(clock.now()))
      .execute()
    const byId = new Map(revisions.map((each) => [each.id, each]))
    const all = await buildingsOf(store, accountId, clock.now())
    const limit = buildings === null ? undefined : new Set<string>(JSON.parse(buildings))
    const rows = limit ? all.filter(({ id }) => limit.has(id)) : all
    const seen = await Promise.all(
      rows.map(async (row) => {
        // The time of the last heartbeat changes every minute and says nothing new.
        const { last_seen: _, ...building } = buildingView(row, availability, clock.now())
        const revision = byId.get(row.id) ?? { id: row.id, revisedAt: 0, liveRevision: 0 }
        const marks = await this.#marks.of(revision, WHOLE_HOUSE)
        const rooms = roomsSeen(row, JSON.parse(marks.text) as SeenBuilding['rooms'], ({ id }) => id)
        return { id: row.id, mark: markOf(JSON.stringify(building)), rooms }
      }),
    )
    return { revision: revisionOf(revisions), seen }
  }
}

const marksOf = (rooms: Room[]): string =>
  JSON.stringify(rooms.map((room) => ({ id: room.id, mark: markOf(JSON.stringify(room)) })))

const nameOf = ({ accountId, buildings }: Viewer): string => `${accountId} ${buildings ?? ''}`
