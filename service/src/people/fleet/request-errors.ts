import { randomUUIDv7 } from 'node:crypto'
import { hostname } from 'node:os'
import { DAY_MS } from '@hypocaust/domain'
import type { Clock } from '../../base/clock.ts'
import { SECRET_IN_TEXT } from '../../base/secret.ts'
import { isStoreError, type Store } from '../../store/store.ts'

interface FailedRequest {
  requestId: string
  /** Without ids. */
  route: string
  status: number
  message: string
}

const MOST_WAITING = 200
const MOST_LETTERS = 300
const KEPT_MS = 7 * DAY_MS

/** What this process could not answer, kept for the operators' console; by then the database may be away. */
export class RequestErrors {
  readonly #store: Store
  readonly #clock: Clock
  #waiting: (FailedRequest & { id: string; failedAt: number; machine: string })[] = []

  constructor(store: Store, clock: Clock) {
    this.#store = store
    this.#clock = clock
  }

  note(failed: FailedRequest): void {
    if (this.#waiting.length >= MOST_WAITING) return
    const message = storable(failed.message.replace(SECRET_IN_TEXT, '$1[hidden]').slice(0, MOST_LETTERS))
    this.#waiting.push({ id: randomUUIDv7(), failedAt: this.#clock.now(), machine: hostname(), ...failed, message })
  }

  async write(): Promise<void> {
    const { db, batch } = this.#store
    const rows = [...this.#waiting]
    if (rows.length === 0) return
    try {
      await batch([
        db.deleteFrom('requestErrors').where('failedAt', '<', this.#clock.now() - KEPT_MS),
        db.insertInto('requestErrors').values(rows),
      ])
    } catch (error) {
      if (isStoreError(error, 'unavailable')) return
      throw error
    }
    this.#waiting = this.#waiting.slice(rows.length)
  }
}

/** One that the database refuses would keep all behind it from being written. */
const storable = (text: string): string => text.replaceAll('\0', ' ').toWellFormed()

/** The latest first. */
export const lastErrors = ({ db }: Store, most: number) =>
  db.selectFrom('requestErrors').selectAll().orderBy('failedAt', 'desc').orderBy('id', 'desc').limit(most).execute()
