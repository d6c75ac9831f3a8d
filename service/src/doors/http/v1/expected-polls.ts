import type { MaybePromise } from '../../../base/at-once.ts'
import { hashSecret } from '../../../base/secret.ts'
import type { AskerRow } from '../../../people/keys/askers.ts'
import { askExpecting, type Expectation, type Reply } from '../../../people/keys/expected-askers.ts'
import { askerOf } from '../../../people/keys/keys.ts'
import { WINDOW_S } from '../limits.ts'
import {
  FoundPolls,
  type KeyedPoll,
  type KnownPoll,
  type KnownPollParts,
  type KnownPolls,
  keptPoll,
  newPoll,
} from './known-polls.ts'

/** What was found last of a key and a building. */
interface Seen {
  row: AskerRow
  digest: string
}

/** How a poll would be answered by what was found last. */
interface Expected extends Expectation {
  known: KnownPoll
}

interface AskedPoll extends KeyedPoll {
  hash: string
  expected: Expected | undefined
}

/** Some hundred bytes each. */
const MOST_SEEN = 10_000

/**
 * Polls where processes share the database. What was found last of a key goes along with the look-up; in the same
 * statement the database compares it with what is there now, and takes one from the budget of the key. Nothing is
 * answered by what was found last unless the database has said that it is still so.
 */
export class ExpectedPolls implements KnownPolls {
  readonly #parts: KnownPollParts
  readonly #found: FoundPolls
  readonly #seen = new Map<string, Seen>()

  constructor(parts: KnownPollParts) {
    this.#parts = parts
    this.#found = new FoundPolls(parts)
  }

  of(polls: KeyedPoll[]): MaybePromise<(KnownPoll | undefined)[]> {
    // A 304 takes nothing from the budget, and a look-up alone is cheaper.
    const areAllConditional = polls.every(({ headers }) => headers['if-none-match'] !== undefined)
    return areAllConditional ? this.#found.of(polls) : this.#ofExpected(polls)
  }

  async #ofExpected(polls: KeyedPoll[]): Promise<(KnownPoll | undefined)[]> {
    const { store, clock, limits } = this.#parts
    const nowMs = clock.now()
    const limit = limits.quota('read')
    const asked = polls.map((poll) => this.#asked(poll, nowMs))
    if (limit > 0) markSpending(asked)
    const replies = await askExpecting(store, asked, nowMs, { limit, windowMs: WINDOW_S * 1000 })
    return Promise.all(asked.map((poll, i) => this.#known(poll, replies[i], nowMs)))
  }

  #asked(poll: KeyedPoll, nowMs: number): AskedPoll {
    const { value, buildingId, headers } = poll
    const hash = hashSecret(value)
    return { value, buildingId, headers, hash, expected: this.#expected(poll, hash, nowMs) }
  }

  #expected(poll: KeyedPoll, hash: string, nowMs: number): Expected | undefined {
    const seen = this.#seen.get(hash + poll.buildingId)
    if (!seen?.row.role) return undefined
    const { role, rooms } = seen.row
    const revision = this.#parts.lists.last(poll.buildingId, { role, rooms })
    const known = revision && keptPoll(this.#parts, poll, askerOf(seen.row, nowMs, revision))
    return known && { known, digest: seen.digest, revision, spends: false }
  }

  #known(poll: AskedPoll, reply: Reply | undefined, nowMs: number): MaybePromise<KnownPoll | undefined> {
    if (reply?.kind === 'found') {
      this.#remember(poll.hash + poll.buildingId, reply)
      const asker = askerOf(reply.row, nowMs)
      return keptPoll(this.#parts, poll, asker) ?? newPoll(this.#parts, poll, asker)
    }
    if (reply?.kind !== 'as expected' || !poll.expected) return undefined
    const { known, spends } = poll.expected
    // Used up: the ordinary way says so.
    if (spends && !reply.window) return undefined
    known.isPaid = spends
    known.window = reply.window
    return known
  }

  #remember(name: string, { row, digest }: Seen): void {
    this.#seen.delete(name)
    this.#seen.set(name, { row, digest })
    if (this.#seen.size <= MOST_SEEN) return
    const [oldest] = this.#seen.keys()
    if (oldest !== undefined) this.#seen.delete(oldest)
  }
}

/** A statement takes one from a window: of several polls of one key the first is paid by it. */
function markSpending(polls: AskedPoll[]): void {
  const paying = new Set<string>()
  for (const { hash, expected } of polls) {
    if (!expected || expected.known.isFree || paying.has(hash)) continue
    expected.spends = true
    paying.add(hash)
  }
}
