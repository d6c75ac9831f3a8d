import type { IncomingHttpHeaders } from 'node:http'
import { mayDo } from '@hypocaust/domain'
import type { Logger } from 'pino'
import { after, type MaybePromise } from '../../../base/at-once.ts'
import type { Clock } from '../../../base/clock.ts'
import type { RoomList, RoomLists } from '../../../house/rooms/room-lists.ts'
import { type Asker, authenticateAll, isUseNews, noteUse } from '../../../people/keys/keys.ts'
import type { Store } from '../../../store/store.ts'
import { isWorthCompressing } from '../compress.ts'
import { isListed } from '../etag.ts'
import type { Costing, RateLimits } from '../limits.ts'

export interface Poll {
  /** In lower case. */
  buildingId: string
  headers: IncomingHttpHeaders
}

/** With the value of its key, which is well formed. */
export interface KeyedPoll extends Poll {
  value: string
}

/** What is known of a poll that only its budget can refuse. */
export interface KnownPoll extends Costing {
  list: RoomList
}

export interface KnownPollParts {
  store: Store
  clock: Clock
  limits: RateLimits
  lists: RoomLists
  logger: Logger
}

export interface KnownPolls {
  /** Undefined for what is refused, and when the list is to be compressed. */
  of(polls: KeyedPoll[]): MaybePromise<(KnownPoll | undefined)[]>
}

/** As nearly all polls are answered: by the list that was sent last, with nothing else to do. */
export function keptPoll(
  { lists, clock }: KnownPollParts,
  poll: Poll,
  asker: Asker | undefined,
): KnownPoll | undefined {
  const building = asker?.building
  const list = building && mayDo(building.membership.role, 'view') && lists.kept(building, building.membership)
  return list && !isUseNews(asker.key, clock.now()) ? pollOf(poll, asker, list) : undefined
}

/** With a new list where the rooms have changed, and a note that the key is in use. */
export async function newPoll(
  { store, lists, clock, logger }: KnownPollParts,
  poll: Poll,
  asker: Asker | undefined,
): Promise<KnownPoll | undefined> {
  const building = asker?.building
  if (!building || !mayDo(building.membership.role, 'view')) return undefined
  noteUse(store, clock, asker.key, logger)
  return pollOf(poll, asker, await lists.of(building, building.membership))
}

function pollOf({ headers }: Poll, { key, readWindow }: Asker, list: RoomList): KnownPoll | undefined {
  const isFree = isListed(headers['if-none-match'], list.tag)
  if (!isFree && isWorthCompressing(list.bytes)) return undefined
  return { list, key: key.id, isFree, isPaid: false, window: readWindow }
}

/** By what a look-up finds. */
export class FoundPolls implements KnownPolls {
  readonly #parts: KnownPollParts

  constructor(parts: KnownPollParts) {
    this.#parts = parts
  }

  of(polls: KeyedPoll[]): MaybePromise<(KnownPoll | undefined)[]> {
    const { store, clock } = this.#parts
    return after(authenticateAll(store, clock, polls), (askers) => {
      const kept = polls.map((poll, i) => keptPoll(this.#parts, poll, askers[i]))
      if (!kept.includes(undefined)) return kept
      return Promise.all(kept.map((known, i) => known ?? newPoll(this.#parts, polls[i] as Poll, askers[i])))
    })
  }
}
