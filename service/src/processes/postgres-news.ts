import type { Logger } from 'pino'
import { PostgresLine } from './line.ts'
import type { Happening, News } from './news.ts'

const HEARD = 'hypocaust_heard'
/** What PostgreSQL tells by itself, with the change: see the triggers of migrations 5 and 21. */
const KINDS = {
  hypocaust_building: 'building',
  hypocaust_key: 'key',
  hypocaust_session: 'session',
  [HEARD]: 'heard',
} as const

/** Gathered for a moment: a thousand buildings that speak within it are a few messages to the other processes. */
const GATHER_MS = 250
/** A message of PostgreSQL holds 8,000 bytes. */
const BUILDINGS_AT_ONCE = 150

/** News by LISTEN and NOTIFY, over a line of its own. */
export class PostgresNews implements News {
  readonly line: PostgresLine
  readonly #listeners = new Set<(what: Happening) => void>()
  #gathered = new Set<string>()
  #timer: NodeJS.Timeout | undefined

  constructor(url: string, logger: Logger) {
    this.line = new PostgresLine({
      url,
      logger,
      channels: Object.keys(KINDS),
      onNews: (channel, payload) => this.#take(channel, payload),
      onConnect: () => this.#pass({ kind: 'anything' }),
    })
  }

  get isLive(): boolean {
    return this.line.isUp
  }

  subscribe(listener: (what: Happening) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  heard(buildingId: string): void {
    this.#gathered.add(buildingId)
    this.#timer ??= setTimeout(() => void this.#tell(), GATHER_MS).unref()
  }

  start(): Promise<void> {
    return this.line.start()
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#tell()
    await this.line.stop()
  }

  async #tell(): Promise<void> {
    const buildingIds = [...this.#gathered]
    this.#gathered = new Set()
    this.#timer = undefined
    for (let from = 0; from < buildingIds.length; from += BUILDINGS_AT_ONCE) {
      const some = buildingIds.slice(from, from + BUILDINGS_AT_ONCE)
      await this.line.tell(HEARD, JSON.stringify({ buildingIds: some }))
    }
  }

  #take(channel: string, payload: string): void {
    if (channel in KINDS) this.#pass({ kind: KINDS[channel as keyof typeof KINDS], ...JSON.parse(payload) })
  }

  #pass(what: Happening): void {
    for (const listener of this.#listeners) listener(what)
  }
}
