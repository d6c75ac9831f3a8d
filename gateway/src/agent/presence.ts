import { matches } from '@hypocaust/domain'
import Type, { type Static } from 'typebox'
import { parseJson } from '../base/json.ts'
import type { Log } from '../base/log.ts'
import type { Role } from '../heating/heating.ts'

/** What an agent publishes of itself on the device broker, for another agent of the same identity. */
const Announcement = Type.Object({
  instance: Type.String({ minLength: 1, maxLength: 64 }),
  host: Type.String({ maxLength: 253 }),
  /** For how long it has driven the outputs; null while it does not. */
  drives_s: Type.Union([Type.Number({ minimum: 0 }), Type.Null()]),
  /** Whether the service has refused its token, or named another agent. */
  refused: Type.Boolean(),
})
export type Announcement = Static<typeof Announcement>

export const presenceTopic = (gatewayId: string): string => `hypocaust-${gatewayId}/agent`

const ANNOUNCE_MS = 10_000
/** After it has connected, an agent listens for so long before it drives. */
const LISTEN_MS = 2_000
/** An agent that has not been heard for so long is gone; one that had to yield drives again after as long. */
const GONE_MS = 60_000
/** Two that began to drive within so short a time began together. */
const TOGETHER_MS = 3_000

interface PresenceParts {
  instance: string
  host: string
  isRefused(): boolean
  /** The service has named another agent of this gateway. */
  isOtherNamed(): boolean
  /** Says whether the broker took it. */
  announce(announcement: Announcement): boolean
  log: Log
}

/**
 * Two agents of one identity, as after a replacement with the old box still on: one of them drives the outputs. The
 * one whose token the service refuses yields, and so does one while the service has named another; otherwise the one that
 * has driven for longer stays.
 */
export class Presence {
  readonly #parts: PresenceParts
  readonly #others = new Map<string, { said: Announcement; atMs: number }>()
  #role: { kind: Role; sinceMs: number } | null = null
  #announcedMs = Number.NEGATIVE_INFINITY
  /** When others may last have heard of it. */
  #heardMs = Number.NEGATIVE_INFINITY
  #hasDriven = false
  /** When the last announcement came that kept this agent from driving. */
  #keptFromMs = Number.NEGATIVE_INFINITY

  constructor(parts: PresenceParts) {
    this.#parts = parts
  }

  get role(): Role {
    return this.#role?.kind ?? 'listens'
  }

  get drives(): boolean {
    return this.#role?.kind === 'drives'
  }

  get isStandingBy(): boolean {
    return this.#role?.kind === 'stands by'
  }

  /** Another agent of this identity that has been heard lately. */
  get other(): Announcement | null {
    return [...this.#others.values()][0]?.said ?? null
  }

  /**
   * The device broker is there. An agent that starts listens first, and so does one that was away for so long that
   * another may have taken over; a shorter absence changes nothing.
   */
  connected(nowMs: number): void {
    if (this.#role === null || (this.drives && nowMs - this.#heardMs >= GONE_MS - ANNOUNCE_MS))
      this.#role = { kind: 'listens', sinceMs: nowMs }
    this.#announce(nowMs)
  }

  receive(payload: Uint8Array, nowMs: number): void {
    const said = parseJson(payload)
    if (!matches(Announcement, said) || said.instance === this.#parts.instance) return
    const isNews = !this.#others.has(said.instance)
    this.#others.set(said.instance, { said, atMs: nowMs })
    this.step(nowMs)
    if (isNews) this.#announce(nowMs)
  }

  step(nowMs: number): void {
    for (const [instance, { atMs }] of this.#others) if (nowMs - atMs >= GONE_MS) this.#others.delete(instance)
    const kind = this.#kindAt(nowMs)
    if (this.#role && kind !== this.#role.kind) this.#become(kind, nowMs)
    if (nowMs - this.#announcedMs >= ANNOUNCE_MS) this.#announce(nowMs)
  }

  #kindAt(nowMs: number): Role {
    if (this.#role === null) return 'listens'
    const others = [...this.#others.values()]
    const above = others.filter((other) => this.#isAbove(other))
    const driving = this.#role.kind === 'drives' ? [] : others.filter(({ said }) => said.drives_s !== null)
    for (const { atMs } of [...above, ...driving]) this.#keptFromMs = Math.max(this.#keptFromMs, atMs)
    if (above.length > 0 || this.#parts.isOtherNamed()) return 'stands by'
    if (this.#role.kind === 'drives') return 'drives'
    const listenedMs = nowMs - Math.max(this.#role.sinceMs, this.#keptFromMs)
    const clearMs = nowMs - this.#keptFromMs
    const mayDrive = driving.length === 0 && listenedMs >= LISTEN_MS && (!this.#hasDriven || clearMs >= GONE_MS)
    return mayDrive ? 'drives' : this.#role.kind
  }

  #isAbove({ said, atMs }: { said: Announcement; atMs: number }): boolean {
    const isRefused = this.#isRefused
    if (said.refused !== isRefused) return isRefused
    const mySinceMs = this.#role?.kind === 'drives' ? this.#role.sinceMs : Number.POSITIVE_INFINITY
    const sinceMs = said.drives_s === null ? Number.POSITIVE_INFINITY : atMs - said.drives_s * 1000
    const isTogether = sinceMs === mySinceMs || Math.abs(sinceMs - mySinceMs) < TOGETHER_MS
    return isTogether ? said.instance < this.#parts.instance : sinceMs < mySinceMs
  }

  get #isRefused(): boolean {
    return this.#parts.isRefused() || this.#parts.isOtherNamed()
  }

  #become(kind: Role, nowMs: number): void {
    const { log } = this.#parts
    const before = this.#role?.kind
    this.#role = { kind, sinceMs: nowMs }
    this.#hasDriven ||= kind === 'drives'
    if (kind === 'stands by')
      log(
        `another agent of this gateway runs on ${this.other?.host ?? 'another machine'} and drives the outputs: this one stands by. Switch one of the two off`,
      )
    if (kind === 'drives' && before === 'stands by') log('this agent drives the outputs again')
    this.#announce(nowMs)
  }

  #announcement(nowMs: number): Announcement {
    const { instance, host } = this.#parts
    const drives_s = this.#role?.kind === 'drives' ? Math.floor((nowMs - this.#role.sinceMs) / 1000) : null
    return { instance, host, drives_s, refused: this.#isRefused }
  }

  #announce(nowMs: number): void {
    if (this.#role === null) return
    this.#announcedMs = nowMs
    if (this.#parts.announce(this.#announcement(nowMs))) this.#heardMs = nowMs
  }
}
