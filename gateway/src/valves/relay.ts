import type { Log } from '../base/log.ts'
import { Confirmation, type RelayState } from './confirmation.ts'
import type { Driver, Feedback, Publish, RelayOutput, ReplyAddress } from './driver.ts'
import { DRIVERS } from './drivers.ts'

const CORRECT_AFTER_MS = 10_000
const DRAWS_CURRENT_W = 0.3
const DRAWS_AFTER_MS = 60_000
const ASK_EVERY_MS = 300_000
/** Three questions without an answer. */
const ANSWER_LASTS_MS = 3 * ASK_EVERY_MS
const OK: RelayHealth = { state: 'ok', stuck: null, faults: 0 }

export interface RelaySettings extends RelayOutput {
  /** What the actuator does without current. */
  normally: 'closed' | 'open'
  autoOffS: number
}

export interface RelayParts {
  /** For people, in the log: `channel 3 (bath)`. */
  name: string
  settings: RelaySettings
  reply: ReplyAddress
  /** Whether the relay has been seen to close by itself. */
  isAutoOffProven(): boolean
  /** Says whether the broker took it. */
  publish(message: Publish): boolean
  log: Log
}

export interface RelayHealth {
  state: RelayState
  /** What it reports while it contradicts. */
  stuck: 'open' | 'closed' | null
  /** How often it has stopped answering or begun to contradict. */
  faults: number
}

/** What the heating does with an output; `rehearse` puts a perfect one in its place. */
export interface Switch {
  readonly subscriptions: string[]
  readonly health: RelayHealth
  /** For an actuator with a position: the power it gets when it is set open. */
  aim?(power: number): void
  set(open: boolean, nowMs: number): void
  /** For an actuator with a position: how far it is open, 0 to 1. */
  share?(nowMs: number): number
  isOpen(nowMs: number): boolean
  /** In place of `set` where another thermostat works the valve: it may be asked, it is never commanded. */
  watch(nowMs: number): void
  /** Whether `isOpen` is what it has reported lately. */
  isKnown(nowMs: number): boolean
  receive(topic: string, payload: Uint8Array, retained: boolean, nowMs: number): void
  /** Before the first report after a start: how far it was open when the agent ended. */
  presume(share: number, nowMs: number): void
  /** Asks for its state, where it can be asked. */
  ask(nowMs: number): void
  /** Whether it has reported since the connection was made, or never will. */
  hasReported(): boolean
  /** What was published before cannot be relied on: it is commanded again, and has to confirm its state anew. */
  forget(): void
  /** Whether the relay must have gone back by itself, because no command has reached it for so long. */
  hasLapsed(nowMs: number): boolean
  hold(untilMs: number): void
  leave(nowMs: number): void
}

export const autoOffExists = (relay: RelayOutput, normally: 'closed' | 'open'): boolean =>
  DRIVERS[relay.driver].goesBack(normally === 'closed', relay)

/**
 * One actuator behind one relay. The wanted state is published again at half the auto-off time, when the relay comes
 * back, when it does not confirm and when it reports something else. `isOpen` is what the relay reports.
 */
export class Relay implements Switch {
  readonly #parts: RelayParts
  readonly #driver: Driver
  readonly #confirmation: Confirmation
  #wantOpen = false
  #said: { open: boolean; atMs: number } | undefined
  #online = true
  #refused = false
  #tried: { open: boolean; atMs: number } = { open: false, atMs: Number.NEGATIVE_INFINITY }
  #onSinceMs: number | undefined
  #idleActuatorLogged = false
  #reportsOnlyLogged = false
  #heldUntilMs = Number.NEGATIVE_INFINITY
  #health: RelayHealth = OK
  #askedMs = Number.NEGATIVE_INFINITY
  /** The last command that a broker took. */
  #taken: { open: boolean; atMs: number } | undefined

  constructor(parts: RelayParts) {
    this.#parts = parts
    this.#driver = DRIVERS[parts.settings.driver]
    this.#confirmation = new Confirmation(this.#driver.confirms(parts.settings))
  }

  get subscriptions(): string[] {
    return this.#driver.subscriptions(this.#parts.settings, this.#parts.reply)
  }

  get health(): RelayHealth {
    return this.#health
  }

  set(open: boolean, nowMs: number): void {
    this.#wantOpen = open
    if (open && this.#parts.settings.mqtt?.set === null) this.#logReportsOnly()
    this.#assert(nowMs)
    if (nowMs >= this.#heldUntilMs) this.#examine(nowMs)
  }

  watch(nowMs: number): void {
    this.#wantOpen = false
    this.#said = undefined
    this.#taken = undefined
    this.#health = OK
    this.#confirmation.release()
    if (nowMs - this.#askedMs >= ASK_EVERY_MS) this.ask(nowMs)
  }

  ask(nowMs: number): void {
    this.#askedMs = nowMs
    const { settings, reply, publish } = this.#parts
    for (const question of this.#driver.stateRequests?.(settings, reply) ?? []) publish(question)
  }

  presume(share: number, nowMs: number): void {
    this.#taken = { open: share > 0, atMs: nowMs }
    this.#confirmation.presume(this.#through(share > 0))
  }

  hasReported(): boolean {
    return this.#confirmation.kind === 'never' || this.#confirmation.isSure
  }

  /** One that can be asked must have answered lately; another reports its changes. */
  isKnown(nowMs: number): boolean {
    const ageMs = this.#confirmation.reportAgeMs(nowMs)
    if (!this.#online || ageMs === undefined || this.#confirmation.kind === 'never') return false
    return this.#driver.stateRequests === undefined || ageMs <= ANSWER_LASTS_MS
  }

  forget(): void {
    this.#said = undefined
    this.#askedMs = Number.NEGATIVE_INFINITY
    this.#confirmation.doubt()
  }

  /** A person works this relay by hand at the manifold. */
  hold(untilMs: number): void {
    this.#heldUntilMs = untilMs
    this.forget()
  }

  /** The agent stops: a relay proven to close by itself is left to do so, another is closed. */
  leave(nowMs: number): void {
    const closesItself = this.#autoOffS(true) !== null && this.#parts.isAutoOffProven()
    if (this.#wantOpen && !closesItself) this.set(false, nowMs)
  }

  /** One that cannot report is open as commanded. */
  isOpen(nowMs: number): boolean {
    if (this.hasLapsed(nowMs)) return false
    if (this.#confirmation.kind === 'never') return this.#taken?.open === true
    const on = this.#confirmation.reportedOn(nowMs)
    return this.#online && on !== undefined && this.#through(on)
  }

  hasLapsed(nowMs: number): boolean {
    const sinceMs = nowMs - (this.#taken?.atMs ?? nowMs)
    return sinceMs > this.#ownAutoOffS * 1000 && this.#autoOffS(true) !== null
  }

  /** A retained state is of unknown age, unless the relay reports changes only; then it is the last one. */
  receive(topic: string, payload: Uint8Array, retained: boolean, nowMs: number): void {
    const { settings, reply } = this.#parts
    const feedback = this.#driver.feedback(settings, topic, payload, reply)
    if (feedback) this.#take(feedback, retained, nowMs)
  }

  #take(feedback: Feedback, retained: boolean, nowMs: number): void {
    const { log, name } = this.#parts
    switch (feedback.kind) {
      case 'state':
        if (retained && this.#confirmation.kind !== 'changes') return
        if (!retained) this.#online = true
        this.#reported(feedback.on, nowMs)
        this.#checkCurrent(feedback, nowMs)
        break
      case 'was':
        this.#online = true
        this.#confirmation.before(feedback.on, nowMs)
        break
      case 'again':
        if (!retained) this.#said = undefined
        break
      case 'online':
        this.#reachable(feedback.online, retained)
        break
      case 'refused':
        log(`${name}: its relay refused: ${feedback.why}`)
        this.#said = undefined
        this.#refused = true
        break
    }
  }

  /** A retained farewell may be of a broker that has just restarted: the relay then comes back as the agent does. */
  #reachable(online: boolean, retained: boolean): void {
    const { log, name } = this.#parts
    const isOldFarewell = retained && !online && this.#confirmation.hasReported
    const isChange = online !== this.#online && !isOldFarewell
    if (isChange) {
      log(`${name}: its relay is ${online ? 'back' : 'not reachable'}`)
      this.#online = online
      this.#confirmation.forget()
    }
    this.forget()
  }

  #reported(on: boolean, nowMs: number): void {
    this.#confirmation.report(on, nowMs)
    this.#onSinceMs = on ? (this.#onSinceMs ?? nowMs) : undefined
    if (!on) this.#idleActuatorLogged = false
  }

  #assert(nowMs: number): void {
    if (nowMs < this.#heldUntilMs || !this.#isDue(nowMs)) return
    this.#tried = { open: this.#wantOpen, atMs: nowMs }
    this.#refused = false
    const { settings, reply, publish } = this.#parts
    const on = this.#through(this.#wantOpen)
    const requests =
      this.#online && this.#confirmation.isRetry(on) ? (this.#driver.stateRequests?.(settings, reply) ?? []) : []
    const command = this.#driver.publishes(settings, { on, backAfterS: this.#autoOffS(this.#wantOpen) }, reply)
    const isTaken = [...command, ...requests].map(publish).every(Boolean)
    if (isTaken) {
      this.#taken = { open: this.#wantOpen, atMs: nowMs }
      this.#confirmation.command(on, nowMs)
    } else this.#confirmation.doubt()
    this.#said = isTaken && this.#online ? { open: this.#wantOpen, atMs: nowMs } : undefined
  }

  /** Commands go to an unreachable relay as well, only not as often: the message that says so may be wrong. */
  #isDue(nowMs: number): boolean {
    const sinceMs = nowMs - this.#tried.atMs
    if (sinceMs >= this.#ownAutoOffS * 500) return true
    if (this.#confirmation.isContradicted || this.#refused) return sinceMs >= CORRECT_AFTER_MS
    if (!this.#online) return this.#tried.open !== this.#wantOpen
    return this.#said?.open !== this.#wantOpen || sinceMs >= this.#confirmation.retryAfterMs
  }

  #examine(nowMs: number): void {
    const { log, name } = this.#parts
    const state = this.#online ? this.#confirmation.stateAt(nowMs) : 'silent'
    const before = this.#health
    if (state === before.state) return
    const stuckOn = state === 'contradicts' && this.#confirmation.reportedOn(nowMs) === true
    const stuck = state === 'contradicts' ? (this.#through(stuckOn) ? 'open' : 'closed') : null
    this.#health = { state, stuck, faults: before.faults + (before.state === 'ok' ? 1 : 0) }
    if (state === 'ok') log(`${name}: its relay answers again`)
    if (state === 'silent') log(`${name}: its relay does not answer; time is not counted as open`)
    if (state === 'contradicts')
      log(`${name}: its relay reports ${stuckOn ? 'on' : 'off'} although it was switched ${stuckOn ? 'off' : 'on'}`)
  }

  #checkCurrent({ on, watts }: { on: boolean; watts: number | null }, nowMs: number): void {
    const { settings, log, name } = this.#parts
    if (watts === null || !on || settings.normally === 'open' || this.#idleActuatorLogged) return
    if (watts >= DRAWS_CURRENT_W || nowMs - (this.#onSinceMs ?? nowMs) < DRAWS_AFTER_MS) return
    this.#idleActuatorLogged = true
    log(`${name}: the relay is on, but the actuator draws no current; is it connected?`)
  }

  #logReportsOnly(): void {
    const { log, name } = this.#parts
    if (!this.#reportsOnlyLogged)
      log(`${name} cannot be switched: it has no set in the file. Add set, or choose Only watch for its room`)
    this.#reportsOnlyLogged = true
  }

  #autoOffS(open: boolean): number | null {
    return open && this.#driver.goesBack(this.#through(open), this.#parts.settings) ? this.#ownAutoOffS : null
  }

  get #ownAutoOffS(): number {
    const { mqtt, autoOffS } = this.#parts.settings
    return mqtt?.autoOffS ?? autoOffS
  }

  /** From open to on, and from on to open: a normally open actuator closes by current. */
  #through(state: boolean): boolean {
    return state !== (this.#parts.settings.normally === 'open')
  }
}
