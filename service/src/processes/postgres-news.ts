import { chunksOf } from '../store/chunks.ts'
import type { Happening, News } from './news.ts'
import { BUILDINGS_PER_NOTIFICATION, type PostgresNotifier } from './postgres-notifier.ts'

const HEARD = 'hypocaust_heard'
/** PostgreSQL itself notifies of changes: see the triggers of migrations 5 and 21. */
const KINDS = {
  hypocaust_building: 'building',
  hypocaust_key: 'key',
  hypocaust_session: 'session',
  [HEARD]: 'heard',
} as const

/** Gathered for a moment: a thousand buildings that speak within it are a few messages to the other processes. */
const GATHER_MS = 250

/** News by LISTEN and NOTIFY. */
export class PostgresNews implements News {
  readonly #notifier: PostgresNotifier
  readonly #listeners = new Set<(what: Happening) => void>()
  #gathered = new Set<string>()
  #timer: NodeJS.Timeout | undefined

  constructor(notifier: PostgresNotifier) {
    this.#notifier = notifier
  }

  get isLive(): boolean {
    return this.#notifier.isUp
  }

  subscribe(listener: (what: Happening) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  heard(buildingId: string): void {
    this.#gathered.add(buildingId)
    this.#timer ??= setTimeout(() => void this.#notify(), GATHER_MS).unref()
  }

  async start(): Promise<void> {
    const handlers = Object.entries(KINDS).map(([channel, kind]) => [
      channel,
      (payload: string) => this.#pass({ kind, ...JSON.parse(payload) }),
    ])
    await this.#notifier.subscribe({
      channels: Object.fromEntries(handlers),
      onConnect: () => this.#pass({ kind: 'anything' }),
    })
  }

  /** Before the notifier stops: what was gathered is still sent. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#notify()
  }

  async #notify(): Promise<void> {
    const buildingIds = [...this.#gathered]
    this.#gathered = new Set()
    this.#timer = undefined
    for (const some of chunksOf(buildingIds, BUILDINGS_PER_NOTIFICATION))
      await this.#notifier.notify(HEARD, JSON.stringify({ buildingIds: some }))
  }

  #pass(what: Happening): void {
    for (const listener of this.#listeners) listener(what)
  }
}
