import { type RawBuilder, sql } from 'kysely'
import type { Clock } from '../base/clock.ts'
import { traceparentNow } from '../base/tracing/span.ts'
import { statement } from '../store/statement.ts'
import type { Store } from '../store/store.ts'

/** A building that could not be controlled is tried again, but not at every look. */
const TRIED_AGAIN_AFTER_MS = 10_000
/** A building that another process has as its share is left to it for so long. */
const BUILDING_LEFT_TO_OWNER_MS = 3000

/** The next revision of a building: a time to look at, and a number that rises even within one millisecond. */
export const nextRevision = (nowMs: number, column = 'revised_at'): RawBuilder<number> =>
  sql<number>`case when ${sql.ref(column)} < ${nowMs} then ${nowMs} else ${sql.ref(column)} + 1 end`

/**
 * What is shown of a building's rooms is of this revision: settings and structure, readings and powers. Nothing of it
 * changes without one of the two rising in the same transaction.
 */
export interface RoomsRevision {
  revisedAt: number
  liveRevision: number
}

export interface Raised {
  buildingId: string
  nowMs: number
}

interface Traced {
  revisedTrace: string | null
}

const raise = statement((db, { buildingId, nowMs, revisedTrace }: Raised & Traced) =>
  db
    .updateTable('buildings')
    .set({ revisedAt: nextRevision(nowMs), revisedTrace })
    .where('id', '=', buildingId),
)

const raiseOfRoom = statement((db, { buildingId, roomId, nowMs, revisedTrace }: RaisedOfRoom & Traced) =>
  db
    .updateTable('buildings')
    .set({ revisedAt: nextRevision(nowMs), revisedTrace })
    .where('id', '=', buildingId)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('rooms')
          .select('rooms.id')
          .where('rooms.id', '=', roomId)
          .where('rooms.buildingId', '=', buildingId),
      ),
    ),
)

/** Belongs into the transaction in which settings or structure change. The control that follows is part of its trace. */
export const raiseRevision = {
  with: (store: Store, raised: Raised) => raise.with(store, { ...raised, revisedTrace: traceparentNow() }),
}

interface RaisedOfRoom extends Raised {
  roomId: string
}

/** The same where one room changes: of a room that is not there nothing changes. */
export const raiseRevisionOfRoom = {
  with: (store: Store, raised: RaisedOfRoom) => raiseOfRoom.with(store, { ...raised, revisedTrace: traceparentNow() }),
}

/** Belongs into the transaction in which a reading or a power changes. */
export const raiseLive = statement((db, { buildingId, nowMs }: Raised) =>
  db
    .updateTable('buildings')
    .set({ liveRevision: nextRevision(nowMs, 'live_revision') })
    .where('id', '=', buildingId),
)

interface Followed {
  id: string
  revisedAt: number
}

/** Belongs into the transaction with what the control decided on settings and structure as of this revision. */
export const noteFollowed = statement((db, { id, revisedAt }: Followed) =>
  db
    .updateTable('buildings')
    .set({ followedRevision: revisedAt })
    .where('id', '=', id)
    .where('followedRevision', '<', revisedAt),
)

/** Asked after every commit. */
const notFollowed = statement((db) =>
  db.selectFrom('buildings').select(['id', 'revisedAt']).whereRef('revisedAt', '>', 'followedRevision'),
)

/**
 * Finds buildings whose settings or structure changed, by whichever process, and which no process has followed yet.
 * The database knows which those are, so nothing is missed by one that was away.
 */
export class RevisionWatch {
  readonly #store: Store
  readonly #clock: Clock
  readonly #isOwn: (buildingId: string) => boolean
  #waiting = new Map<string, { revisedAt: number; dueMs: number }>()

  constructor(store: Store, clock: Clock, isOwn: (buildingId: string) => boolean = () => true) {
    this.#store = store
    this.#clock = clock
    this.#isOwn = isOwn
  }

  async changed(): Promise<string[]> {
    const nowMs = this.#clock.elapsedMs()
    const waiting = (await notFollowed.all(this.#store, {})).map(({ id, revisedAt }) => {
      const before = this.#waiting.get(id)
      const firstMs = nowMs + (this.#isOwn(id) ? 0 : BUILDING_LEFT_TO_OWNER_MS)
      const dueMs = before?.revisedAt === revisedAt ? before.dueMs : firstMs
      const isDue = dueMs <= nowMs
      return { id, revisedAt, isDue, dueMs: isDue ? nowMs + TRIED_AGAIN_AFTER_MS : dueMs }
    })
    this.#waiting = new Map(waiting.map((each) => [each.id, each]))
    return waiting.filter(({ isDue }) => isDue).map(({ id }) => id)
  }
}
