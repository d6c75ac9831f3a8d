import type { IncomingHttpHeaders } from 'node:http'
import { mayDo } from '@hypocaust/domain'
import { after, type MaybePromise } from '../../../base/at-once.ts'
import type { Clock } from '../../../base/clock.ts'
import type { RoomList, RoomLists } from '../../../house/rooms/room-lists.ts'
import { type Asker, authenticateAll, isUseNews } from '../../../people/keys/keys.ts'
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
}

export interface KnownPolls {
  /** Undefined for what is refused, when the list has changed or is to be compressed, or when the use is to be noted. */
  of(polls: KeyedPoll[]): MaybePromise<(KnownPoll | undefined)[]>
}

export function knownPoll(
  { lists, clock }: KnownPollParts,
  { headers }: Poll,
  asker: Asker | undefined,
): KnownPoll | undefined {
  const building = asker?.building
  const list = building && mayDo(building.membership.role, 'view') && lists.kept(building, building.membership)
  if (!list || isUseNews(asker.key, clock.now())) return undefined
  const isFree = isListed(headers['if-none-match'], list.tag)
  if (!isFree && isWorthCompressing(list.bytes)) return undefined
  return { list, key: asker.key.id, isFree, isPaid: false, window: asker.readWindow }
}

/** By what a look-up finds. */
export class FoundPolls implements KnownPolls {
  readonly #parts: KnownPollParts

  constructor(parts: KnownPollParts) {
    this.#parts = parts
  }

  of(polls: KeyedPoll[]): MaybePromise<(KnownPoll | undefined)[]> {
    const { store, clock } = this.#parts
    return after(authenticateAll(store, clock, polls), (askers) =>
      polls.map((poll, i) => knownPoll(this.#parts, poll, askers[i])),
    )
  }
}
