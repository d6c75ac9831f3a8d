import type { IncomingHttpHeaders } from 'node:http'
import { mayDo } from '@hypocaust/domain'
import { after, all, type MaybePromise } from '../../../base/at-once.ts'
import type { Clock } from '../../../base/clock.ts'
import type { RoomList, RoomLists } from '../../../house/rooms/room-lists.ts'
import { type Asker, type AskingKey, authenticateAll } from '../../../people/keys/keys.ts'
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
  asker: AskingKey
}

export interface KnownPollParts {
  store: Store
  clock: Clock
  limits: RateLimits
  lists: RoomLists
}

export interface KnownPolls {
  /** Undefined for what is refused, and when the list is to be compressed. */
  of(polls: KeyedPoll[]): MaybePromise<(KnownPoll | undefined)[]>
}

/** By who asks, as the database knows it now. */
export function knownPoll(lists: RoomLists, poll: Poll, asker: Asker | undefined): MaybePromise<KnownPoll | undefined> {
  const building = asker?.building
  if (!building || !mayDo(building.membership.role, 'view')) return undefined
  return after(lists.of(building, building.membership), (list) => pollOf(poll, asker, list))
}

export function pollOf({ headers }: Poll, { key, readWindow }: Asker, list: RoomList): KnownPoll | undefined {
  const isFree = isListed(headers['if-none-match'], list.tag)
  if (!isFree && isWorthCompressing(list.bytes)) return undefined
  return { list, asker: key, key: key.id, isFree, isPaid: false, window: readWindow }
}

/** By what a look-up finds. */
export class FoundPolls implements KnownPolls {
  readonly #parts: KnownPollParts

  constructor(parts: KnownPollParts) {
    this.#parts = parts
  }

  of(polls: KeyedPoll[]): MaybePromise<(KnownPoll | undefined)[]> {
    const { store, clock, lists } = this.#parts
    return after(authenticateAll(store, clock, polls), (askers) =>
      all(polls.map((poll, i) => knownPoll(lists, poll, askers[i]))),
    )
  }
}
