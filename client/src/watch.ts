import { HypocaustError } from './error.ts'
import type { Building, Changes, Room } from './generated/types.ts'
import { type Surroundings, waitMsAfter } from './retry.ts'

/** A building and its rooms as they were at one look. */
export interface Snapshot {
  building: Building
  rooms: Room[]
}

export interface WatchOptions {
  /** Between two looks at a service that cannot report changes, older than `GET /v1/changes`; 30 s unless given. */
  intervalMs?: number
  /** Ends the loop. */
  signal?: AbortSignal
  /** Called at each request that failed and will be repeated; without it trouble is silent. */
  onTrouble?: (error: HypocaustError) => void
}

/** The requests a watch consists of; each is sent once. */
export interface WatchedHouse {
  buildingId: string
  /** Answers when something has changed since the cursor, or empty after a while; at once without a cursor. */
  changes(since: string | undefined): Promise<Changes>
  building(): Promise<Building>
  rooms(): Promise<Room[]>
  room(id: string): Promise<Room>
}

/** What has to be read again: all of it, these rooms with the building, or nothing. */
type Due = 'everything' | 'nothing' | { rooms: string[] }

/** Where the news come from. A service that is older than its changes is polled until the connection is lost. */
type News = { kind: 'changes'; cursor: string | undefined } | { kind: 'polling' }

interface Heard {
  news: News
  due: Due
}

const INTERVAL_MS = 30_000
/** A house may change more often than anybody looks: together with the reads this stays within a key's budget. */
const BETWEEN_CHANGES_MS = 500
/** A building that was removed is never named, and `last_seen` alone is no change. */
const LOOK_AT_LEAST_EVERY_MS = 60_000

/** The first look, then each that shows something else or comes after trouble. Passing trouble is waited out, any other ends the loop. */
export async function* watch(
  house: WatchedHouse,
  { intervalMs = INTERVAL_MS, signal, onTrouble }: WatchOptions,
  surroundings: Surroundings,
): AsyncGenerator<Snapshot, void, void> {
  let news: News = { kind: 'changes', cursor: undefined }
  let snapshot: Snapshot | undefined
  let lookedAtMs = Number.NEGATIVE_INFINITY
  let failures = 0
  while (!signal?.aborted) {
    let waitMs: number
    try {
      const isBack = failures > 0 && snapshot !== undefined
      const heard: Heard = isBack ? { news, due: 'everything' } : await next(house, news)
      const isOld = surroundings.now() - lookedAtMs >= LOOK_AT_LEAST_EVERY_MS
      const before = snapshot
      if (heard.due !== 'nothing' || isOld) {
        snapshot = await look(house, heard.due === 'nothing' ? 'everything' : heard.due, before)
        lookedAtMs = surroundings.now()
      }
      news = heard.news
      const isNews = failures > 0 || !isSame(before, snapshot)
      failures = 0
      if (isNews && snapshot) yield snapshot
      waitMs = news.kind === 'polling' ? intervalMs : BETWEEN_CHANGES_MS
    } catch (error) {
      if (signal?.aborted) return
      if (!(error instanceof HypocaustError)) throw error
      if (!passesInTime(error, snapshot !== undefined)) throw error
      onTrouble?.(error)
      if (news.kind === 'polling') news = { kind: 'changes', cursor: undefined }
      waitMs = waitMsAfter(error, failures++, surroundings.random())
    }
    await surroundings.sleep(waitMs, signal).catch((reason: unknown) => {
      if (!signal?.aborted) throw reason
    })
  }
}

/** A failure inside the service, and a name that was known a moment ago, are worth another look: there is no hurry. */
const passesInTime = ({ isTransient, status = 0, code }: HypocaustError, hasSeen: boolean): boolean =>
  isTransient || status >= 500 || (code === 'unknown_host' && hasSeen)

async function next(house: WatchedHouse, news: News): Promise<Heard> {
  if (news.kind === 'polling') return { news, due: 'everything' }
  try {
    const { cursor, buildings } = await house.changes(news.cursor)
    const changed = buildings.find(({ id }) => id === house.buildingId)
    const due = news.cursor === undefined ? 'everything' : changed ? { rooms: changed.rooms } : 'nothing'
    return { news: { kind: 'changes', cursor }, due }
  } catch (error) {
    if (isNotFound(error)) return { news: { kind: 'polling' }, due: 'everything' }
    throw error
  }
}

/** The building is read every time: whether it has changed itself is known only where no room has. */
async function look(
  house: WatchedHouse,
  due: Exclude<Due, 'nothing'>,
  before: Snapshot | undefined,
): Promise<Snapshot> {
  const [building, rooms] = await Promise.all([
    house.building(),
    due === 'everything' || !before ? house.rooms() : roomsAfter(house, due.rooms, before.rooms),
  ])
  return { building, rooms }
}

async function roomsAfter(house: WatchedHouse, changed: string[], before: Room[]): Promise<Room[]> {
  const [id, ...others] = changed
  if (id === undefined) return before
  if (others.length > 0 || !before.some((room) => room.id === id)) return house.rooms()
  try {
    const room = await house.room(id)
    return before.map((each) => (each.id === id ? room : each))
  } catch (error) {
    // It was removed in this moment.
    if (isNotFound(error)) return house.rooms()
    throw error
  }
}

const isNotFound = (error: unknown): boolean => error instanceof HypocaustError && error.status === 404

const isSame = (before: Snapshot | undefined, after: Snapshot | undefined): boolean =>
  before === after || (before !== undefined && after !== undefined && shownText(before) === shownText(after))

const shownText = ({ building: { last_seen: _, ...building }, rooms }: Snapshot): string =>
  JSON.stringify([building, rooms])
