import { buildingsOf } from '../../house/buildings/buildings.ts'
import { isActive } from '../../house/membership.ts'
import { RevisionWaits } from '../../house/revision-waits.ts'
import type { News } from '../../processes/news.ts'
import { revisionOf, revisionsOf } from './account-revisions.ts'
import { type ChangedBuilding, changesSince, cursorOf, type SeenBuilding } from './cursor.ts'
import { BuildingMarks, type MarkParts } from './marks.ts'

export interface Changes {
  cursor: string
  buildings: ChangedBuilding[]
}

/** Who waits: a person, with a key that may be limited to some buildings. */
interface Viewer {
  accountId: string
  /** Ids of the buildings the key is limited to, as JSON. */
  buildings: string | null
}

export interface FeedParts extends MarkParts {
  news: News
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

/** What changes without a revision: a building that becomes unavailable, a value that goes stale, the weather. */
const THOROUGH_EVERY_MS = 10_000

/** Lets clients wait until something they can see has changed. */
export class ChangeFeed {
  readonly #parts: FeedParts
  readonly #marks: BuildingMarks
  readonly #revisions: RevisionWaits
  readonly #looks = new Map<string, { running: Promise<Look>; next?: Promise<Look> }>()

  constructor(parts: FeedParts) {
    const { store, clock, news } = parts
    this.#parts = parts
    this.#marks = new BuildingMarks(parts)
    this.#revisions = new RevisionWaits({
      news,
      // A building has other members than the one in the news.
      named: () => undefined,
      revisionsOf: (accountIds) => revisionsOf(store, accountIds, clock.now()),
    })
  }

  /** Answers at once where something has changed since, or nothing is known of the cursor. */
  async changes(viewer: Viewer, { since, waitMs, signal }: Wait): Promise<Changes> {
    const untilMs = performance.now() + waitMs
    for (;;) {
      const { revision, seen } = await this.#look(viewer)
      const buildings = changesSince(since, seen)
      const leftMs = untilMs - performance.now()
      if (buildings.length > 0 || signal.aborted || leftMs <= 0) return { cursor: cursorOf(seen), buildings }
      await this.#revisions.another(viewer.accountId, revision, Math.min(THOROUGH_EVERY_MS, leftMs), signal)
    }
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
    const { store, clock } = this.#parts
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
    const unknown = { revisedAt: 0, liveRevision: 0 }
    const seen = await Promise.all(rows.map((row) => this.#marks.of(row, byId.get(row.id) ?? unknown)))
    return { revision: revisionOf(revisions), seen }
  }
}

const nameOf = ({ accountId, buildings }: Viewer): string => `${accountId} ${buildings ?? ''}`
