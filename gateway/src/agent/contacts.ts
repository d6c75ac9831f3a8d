import { type ContactReading, timestampOf } from '@hypocaust/domain'
import type { Contact } from '../adapters/adapter.ts'

/** A contact that keeps its state is reported again after this, so that the service knows that it is alive. */
const AGAIN_MS = 600_000
const MOST_CONTACTS = 1000

/** Window contacts: a change goes up at once, a state that lasts from time to time. */
export class Contacts {
  readonly #sent = new Map<string, { open: boolean; atMs: number }>()

  /** The readings due for what was heard. */
  hear(heard: readonly (Contact & { measuredMs: number })[], monotonicMs: number): ContactReading[] {
    return heard.filter((contact) => this.#isDue(contact, monotonicMs)).map(wireContact)
  }

  #isDue({ id, open }: Contact, monotonicMs: number): boolean {
    const last = this.#sent.get(id)
    if (last?.open === open && monotonicMs - last.atMs < AGAIN_MS) return false
    if (!last && this.#sent.size >= MOST_CONTACTS) this.#sent.clear()
    this.#sent.set(id, { open, atMs: monotonicMs })
    return true
  }
}

const wireContact = ({ id, open, batt, rssi, measuredMs }: Contact & { measuredMs: number }): ContactReading => ({
  id,
  contact: open ? 'open' : 'closed',
  batt,
  rssi,
  timestamp: timestampOf(measuredMs),
})
