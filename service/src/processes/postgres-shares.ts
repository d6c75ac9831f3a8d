import { randomBytes } from 'node:crypto'
import { chunksOf } from '../store/chunks.ts'
import type { BuildingShares, Traces } from './building-shares.ts'
import { ownerAmong } from './owner-among.ts'
import { BUILDINGS_PER_NOTIFICATION, type PostgresNotifier } from './postgres-notifier.ts'

export interface SharesParts {
  /** Resolves when the building has been controlled. */
  control(buildingId: string, trace?: string): Promise<void>
  /** False while this process could not send what it decides: others do its share. */
  isAble(): boolean
}

/** What processes announce of themselves. */
interface Presence {
  member: string
  isAble: boolean
}

type Message =
  | { kind: 'control'; from: string; batch: number; buildingIds: string[]; traces?: [string, string][] }
  | { kind: 'done'; batch: number }

/** Buildings that are controlled together, and whether another process waits to hear of it. */
interface Batch {
  buildingIds: string[]
  traces: Traces
  report?: () => void
}

/** A batch that another process is to control, and has not reported yet. */
interface Given {
  owner: string
  buildingIds: string[]
  atMs: number
}

/** Beside as many buildings; the control of further ones is not part of the trace of their readings. */
const TRACES_PER_NOTIFICATION = 15

const PRESENCE = 'hypocaust_ingest'
const channelOf = (member: string): string => `hypocaust_ingest_${member}`

const ANNOUNCE_EVERY_MS = 1000
/** Counted in announcements of our own that have come back: a process that was itself held up misses nobody. */
const GONE_AFTER_ROUNDS = 4
/** A batch that its owner has not reported by then is controlled here: long enough for one that is only busy. */
const DONE_WITHIN_MS = 15_000
/** Batches of other processes so soon after one share its queries and transactions. */
const GATHER_MS = 250

/**
 * Shares by rendezvous hashing among the processes that have announced themselves lately. They need not agree on who
 * that is: a process controls whatever it is given, and what it does not report done the giver controls itself.
 */
export class PostgresShares implements BuildingShares {
  readonly #notifier: PostgresNotifier
  readonly #parts: SharesParts
  readonly #member = randomBytes(8).toString('hex')
  /** In which round each of the others was last heard of. */
  readonly #others = new Map<string, number>()
  #round = 0
  readonly #given = new Map<number, Given>()
  #gathered: Batch[] = []
  #gathering: NodeJS.Timeout | undefined
  #looking: NodeJS.Timeout | undefined
  #batches = 0
  #isStopping = false

  constructor(notifier: PostgresNotifier, parts: SharesParts) {
    this.#notifier = notifier
    this.#parts = parts
  }

  async start(): Promise<void> {
    await this.#notifier.subscribe({
      channels: {
        [PRESENCE]: (payload) => this.#notePresence(JSON.parse(payload)),
        [channelOf(this.#member)]: (payload) => this.#take(JSON.parse(payload)),
      },
    })
    this.#look()
    this.#looking = setInterval(() => this.#look(), ANNOUNCE_EVERY_MS)
  }

  /** From now on others have all shares. A batch that is not reported is controlled by the process that gave it. */
  async stop(): Promise<void> {
    clearInterval(this.#looking)
    this.#isStopping = true
    const own = this.#gathered.filter(({ report }) => !report)
    this.#gathered = []
    this.control(
      own.flatMap(({ buildingIds }) => buildingIds),
      new Map(own.flatMap(({ traces }) => [...traces])),
    )
    await this.#announce(false)
  }

  isOwn(buildingId: string): boolean {
    return this.#ownerOf(buildingId) === this.#member
  }

  control(buildingIds: string[], traces: Traces): void {
    const byOwner = Map.groupBy(buildingIds, (buildingId) => this.#ownerOf(buildingId))
    for (const [owner, own] of byOwner) {
      if (owner === this.#member) this.#gather({ buildingIds: own, traces })
      else for (const some of chunksOf(own, BUILDINGS_PER_NOTIFICATION)) this.#give(owner, some, traces)
    }
  }

  get #isAble(): boolean {
    return !this.#isStopping && this.#parts.isAble()
  }

  #ownerOf(buildingId: string): string {
    if (!this.#notifier.isUp) return this.#member
    const able = [...(this.#isAble ? [this.#member] : []), ...this.#others.keys()]
    return ownerAmong(able, buildingId) ?? this.#member
  }

  #give(owner: string, buildingIds: string[], traces: Traces): void {
    const batch = ++this.#batches
    this.#given.set(batch, { owner, buildingIds, atMs: performance.now() })
    const traced = [...traces].filter(([id]) => buildingIds.includes(id)).slice(0, TRACES_PER_NOTIFICATION)
    this.#send(owner, {
      ...{ kind: 'control', from: this.#member, batch, buildingIds },
      ...(traced.length > 0 && { traces: traced }),
    })
  }

  #take(message: Message): void {
    if (message.kind === 'done') {
      this.#given.delete(message.batch)
      return
    }
    if (this.#isStopping) return
    const { from, batch, buildingIds, traces } = message
    this.#gather({ buildingIds, traces: new Map(traces), report: () => this.#send(from, { kind: 'done', batch }) })
  }

  #gather(batch: Batch): void {
    this.#gathered.push(batch)
    if (this.#others.size === 0 || this.#isStopping) this.#controlGathered()
    else this.#gathering ??= setTimeout(() => this.#controlGathered(), GATHER_MS)
  }

  #controlGathered(): void {
    const batches = this.#gathered
    this.#gathered = []
    clearTimeout(this.#gathering)
    this.#gathering = undefined
    for (const { buildingIds, traces, report } of batches) {
      const controlled = buildingIds.map((id) => this.#parts.control(id, traces.get(id)))
      void Promise.allSettled(controlled).then(() => {
        // While a process stops, control ends without being done.
        if (!this.#isStopping) report?.()
      })
    }
  }

  #look(): void {
    const nowMs = performance.now()
    void this.#announce(this.#isAble)
    for (const [batch, { owner, buildingIds, atMs }] of this.#given) {
      if (this.#others.has(owner) && nowMs - atMs < DONE_WITHIN_MS) continue
      this.#given.delete(batch)
      this.#gather({ buildingIds, traces: new Map() })
    }
  }

  #announce(isAble: boolean): Promise<void> {
    const presence: Presence = { member: this.#member, isAble }
    return this.#notifier.notify(PRESENCE, JSON.stringify(presence))
  }

  #notePresence({ member, isAble }: Presence): void {
    if (member === this.#member) this.#endRound()
    else if (isAble) this.#others.set(member, this.#round)
    else this.#others.delete(member)
  }

  #endRound(): void {
    this.#round++
    for (const [member, round] of this.#others) if (this.#round - round > GONE_AFTER_ROUNDS) this.#others.delete(member)
  }

  #send(member: string, message: Message): void {
    void this.#notifier.notify(channelOf(member), JSON.stringify(message))
  }
}
