import { renameSync, writeFileSync } from 'node:fs'
import type { Notice } from '@hypocaust/domain'

/** What has failed beside the service: in the log once, and in a file that the website shows until it is over. */
export class Notices {
  readonly #file: string
  readonly #now: () => Date
  #open: Notice[] = []

  constructor(file: string, now = () => new Date()) {
    this.#file = file
    this.#now = now
    this.#write()
  }

  /** Each part of the app has one notice at a time. */
  report(part: readonly Notice['kind'][], kind: Notice['kind'], detail: string): void {
    const before = this.#open.find((notice) => part.includes(notice.kind))
    if (before?.kind === kind && before.detail === detail) return
    console.error(`${kind}: ${detail || 'no reason given'}; trying again`)
    const since = before?.kind === kind ? before.since : this.#now().toISOString()
    this.#open = [...this.#without(part), { kind, detail, since }]
    this.#write()
  }

  clear(part: readonly Notice['kind'][]): void {
    const rest = this.#without(part)
    if (rest.length === this.#open.length) return
    this.#open = rest
    this.#write()
  }

  #without(part: readonly Notice['kind'][]): Notice[] {
    return this.#open.filter(({ kind }) => !part.includes(kind))
  }

  /** A reader sees the whole list or the one before. */
  #write(): void {
    const half = `${this.#file}.new`
    writeFileSync(half, JSON.stringify(this.#open), { mode: 0o600 })
    renameSync(half, this.#file)
  }
}
