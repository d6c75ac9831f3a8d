import type { Confirms } from './driver.ts'

export type RelayState = 'ok' | 'silent' | 'contradicts'

/** A relay that has not confirmed by then does not answer; one that has reported the opposite for as long contradicts. */
const FAULT_AFTER_MS = 30_000
/** After a restart of agent, broker or relay the other side needs a while to come back as well. */
const DOUBT_LASTS_MS = 90_000
/** One that contradicts may report its state once a minute and answer no command. */
const CONTRADICTION_LASTS_MS = 300_000
const FIRST_RETRY_MS = 10_000
const SLOWEST_RETRY_MS = 300_000

/** What a relay was commanded, what it has reported, and how far the two agree. */
export class Confirmation {
  readonly kind: Confirms
  #commandedOn: boolean | undefined
  #report: { on: boolean; atMs: number } | undefined
  /** What it was before the agent started, until it reports. */
  #presumedOn: boolean | undefined
  /** The last report holds on, but has to be confirmed anew. */
  #isDoubted = false
  /** Since when a command has waited for its confirmation. */
  #unansweredSinceMs: number | undefined
  #contradictedSinceMs: number | undefined
  #unanswered = 0
  #repeated = false

  constructor(kind: Confirms) {
    this.kind = kind
  }

  get isContradicted(): boolean {
    return this.#contradictedSinceMs !== undefined
  }

  /** Ever longer while nothing comes back. */
  get retryAfterMs(): number {
    if (this.#unansweredSinceMs === undefined) return Number.POSITIVE_INFINITY
    return Math.min(SLOWEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (this.#unanswered - 1))
  }

  isRetry(on: boolean): boolean {
    return this.#unansweredSinceMs !== undefined && this.#commandedOn === on
  }

  command(on: boolean, nowMs: number): void {
    this.#repeated = on === this.#commandedOn
    if (!this.#repeated) {
      this.#unansweredSinceMs = undefined
      this.#contradictedSinceMs = undefined
      this.#unanswered = 0
    }
    this.#commandedOn = on
    const isConfirmedOnceOnly = this.kind === 'changes' && this.#report?.on === on
    if (this.kind === 'never' || isConfirmedOnceOnly) return
    this.#unansweredSinceMs ??= nowMs
    this.#unanswered += 1
  }

  report(on: boolean, nowMs: number): void {
    this.#report = { on, atMs: nowMs }
    this.#presumedOn = undefined
    this.#isDoubted = false
    this.#unansweredSinceMs = undefined
    this.#unanswered = 0
    const isAsCommanded = this.#commandedOn === undefined || on === this.#commandedOn
    this.#contradictedSinceMs = isAsCommanded ? undefined : (this.#contradictedSinceMs ?? nowMs)
  }

  /** The state before the last command: the first command changes it, a repeated one must find it as commanded. */
  before(on: boolean, nowMs: number): void {
    if (on === this.#commandedOn || this.#repeated) this.report(on, nowMs)
  }

  /** Nobody commands it any more; what it has reported stays known. */
  release(): void {
    this.#commandedOn = undefined
    this.#unansweredSinceMs = undefined
    this.#contradictedSinceMs = undefined
    this.#unanswered = 0
  }

  get hasReported(): boolean {
    return this.#report !== undefined
  }

  /** Whether its last report is in no doubt. */
  get isSure(): boolean {
    return this.#report !== undefined && !this.#isDoubted
  }

  /** Undefined before the first report. */
  reportAgeMs(nowMs: number): number | undefined {
    return this.#report && nowMs - this.#report.atMs
  }

  /** The connection was lost, which by itself changes no relay. */
  doubt(): void {
    this.release()
    this.#isDoubted = true
  }

  presume(on: boolean): void {
    this.#presumedOn = on
    this.#isDoubted = true
  }

  forget(): void {
    this.release()
    this.#report = undefined
    this.#presumedOn = undefined
    this.#isDoubted = false
  }

  /** Undefined when nothing is known, or nothing any more. */
  reportedOn(nowMs: number): boolean | undefined {
    return this.stateAt(nowMs) === 'silent' ? undefined : (this.#report?.on ?? this.#presumedOn)
  }

  stateAt(nowMs: number): RelayState {
    const waitsMs = nowMs - (this.#unansweredSinceMs ?? nowMs)
    const faultAfterMs = this.#isDoubted ? DOUBT_LASTS_MS : FAULT_AFTER_MS
    if (this.#contradictedSinceMs === undefined) return waitsMs >= faultAfterMs ? 'silent' : 'ok'
    if (waitsMs >= CONTRADICTION_LASTS_MS) return 'silent'
    return nowMs - this.#contradictedSinceMs >= FAULT_AFTER_MS ? 'contradicts' : 'ok'
  }
}
