import type { DatabaseSync } from 'node:sqlite'
import type { Readings } from '@hypocaust/domain'
import { openUnwatched } from '../disk.ts'
import type { Journal } from '../journal.ts'

interface ReadingParts {
  journal: Journal
  /** The database as it is on the service's disk now. */
  file(): string
  gatewayId: string
  /** Whether the clocks of service and gateway have been set while this was under way: then a time may be refused. */
  wereClocksSet(): boolean
}

/** What was sent so shortly before the end may still be on its way. */
const UNDER_WAY_MS = 60_000

const LAW = 'acknowledged is stored exactly once'

/** What the service confirms is in its database, and what the gateway has sent is there once in the end. */
export class ReadingCheck {
  readonly #parts: ReadingParts
  readonly #sent = new Map<string, { message: Readings; atMs: number }>()
  #db: { file: string; db: DatabaseSync } | undefined
  confirmed = 0
  /** Readings that were only in the memory of a gateway whose disk has failed may end with it. */
  readonly excused = new Set<string>()

  constructor(parts: ReadingParts) {
    this.#parts = parts
  }

  sent(message: Readings, atMs: number): void {
    const { atMs: firstMs = atMs } = this.#sent.get(keyOf(message)) ?? {}
    this.#sent.set(keyOf(message), { message, atMs: firstMs })
  }

  /** By PUBACK or by `down/commit`. */
  acknowledged({ boot, n }: { boot: string; n: number }, how: string): void {
    this.confirmed++
    const { gatewayId, journal } = this.#parts
    const found = this.#open().prepare('select 1 from gateway_messages where gateway_id = ? and boot = ? and n = ?')
    if (!found.get(gatewayId, boot, n)) journal.violated(LAW, `${how} of ${boot}/${n}, which is not in the database`)
  }

  /** The gateway has died with a disk that had failed. */
  excuseUnconfirmed(): void {
    for (const key of this.#sent.keys()) this.excused.add(key)
  }

  /** When everything has had the time to arrive. */
  finish(endMs: number): void {
    const { journal, wereClocksSet } = this.#parts
    const db = this.#open()
    const at = db.prepare(
      'select 1 from readings join sensors on sensors.id = sensor_id where address = ? and readings.measured_at = ?',
    )
    let sent = 0
    for (const [key, { message, atMs }] of this.#sent) {
      const { readings = [] } = message
      const isUnderWay = endMs - atMs < UNDER_WAY_MS
      for (const reading of readings) {
        if (!('temperature' in reading)) continue
        sent++
        if (
          !isUnderWay &&
          !wereClocksSet() &&
          !this.excused.has(key) &&
          !at.get(reading.id, Date.parse(reading.timestamp))
        )
          journal.violated(LAW, `a reading of ${key} was sent and is not stored`)
      }
    }
    const stored = Number(db.prepare('select count(*) as n from readings').get()?.n)
    if (stored > sent) journal.violated(LAW, `${stored} readings are stored, and ${sent} were sent`)
    this.close()
  }

  close(): void {
    this.#db?.db.close()
    this.#db = undefined
  }

  get db(): DatabaseSync {
    return this.#open()
  }

  #open(): DatabaseSync {
    const file = this.#parts.file()
    if (this.#db?.file !== file) {
      this.close()
      this.#db = { file, db: openUnwatched(file) }
    }
    return this.#db.db
  }
}

const keyOf = ({ boot, n }: { boot: string; n: number }): string => `${boot}/${n}`
