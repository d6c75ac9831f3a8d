import type { Log } from '../log.ts'
import type { Asker, Driver, DriverName, Publish, RelayOutput } from './driver.ts'
import { esphome } from './esphome.ts'
import { shelly } from './shelly.ts'
import { tasmota } from './tasmota.ts'
import { zigbee2mqtt } from './zigbee2mqtt.ts'

const DRIVERS: Record<DriverName, Driver> = { shelly, zigbee2mqtt, tasmota, esphome }

const CORRECT_AFTER_MS = 10_000
const DRAWS_CURRENT_W = 0.3
const DRAWS_AFTER_MS = 60_000

export interface RelaySettings extends RelayOutput {
  /** What the actuator does without current. */
  normally: 'closed' | 'open'
  autoOffS: number
}

export interface RelayParts {
  /** For people, in the log: `channel 3 (bath)`. */
  name: string
  settings: RelaySettings
  asker: Asker
  /** Says whether the broker took it. */
  publish(message: Publish): boolean
  log: Log
}

/**
 * One actuator behind one relay. What is wanted is said again at half the auto-off time, when the relay comes back,
 * and when it reports something else; `isOpen` is what may honestly be counted as open.
 */
export class Relay {
  readonly #parts: RelayParts
  readonly #driver: Driver
  #wantOpen = false
  #said: { open: boolean; atMs: number } | undefined
  #reported: { on: boolean; atMs: number } | undefined
  #online = true
  #refused = false
  #triedMs = Number.NEGATIVE_INFINITY
  #idleActuatorTold = false
  #heldUntilMs = Number.NEGATIVE_INFINITY

  constructor(parts: RelayParts) {
    this.#parts = parts
    this.#driver = DRIVERS[parts.settings.driver]
  }

  get subscriptions(): string[] {
    return this.#driver.subscriptions(this.#parts.settings, this.#parts.asker)
  }

  set(open: boolean, nowMs: number): void {
    if (open !== this.#wantOpen) this.#idleActuatorTold = false
    this.#wantOpen = open
    this.#assert(nowMs)
  }

  /** The device broker is back: nothing said before can be relied on. */
  forget(): void {
    this.#said = undefined
    this.#reported = undefined
  }

  /** Somebody stands at the manifold and works this relay by hand. */
  hold(untilMs: number): void {
    this.#heldUntilMs = untilMs
    this.forget()
  }

  /** The agent goes: a relay that closes by itself is left to do so, another is closed. */
  leave(nowMs: number): void {
    if (this.#wantOpen && this.#autoOffS(true) === null) this.set(false, nowMs)
  }

  isOpen(nowMs: number): boolean {
    if (this.#contradicted) return this.#through(this.#reported?.on === true)
    if (!this.#said) return false
    const { open, atMs } = this.#said
    const lapsed = this.#autoOffS(open) !== null && nowMs - atMs > this.#parts.settings.autoOffS * 1000
    return open && !lapsed
  }

  /** A retained state is old news of unknown age; only whether the relay is there may be learned from one. */
  receive(topic: string, payload: Uint8Array, retained: boolean, nowMs: number): void {
    const { settings, asker, log, name } = this.#parts
    const feedback = this.#driver.feedback(settings, topic, payload, asker)
    switch (feedback?.kind) {
      case 'state':
        if (retained) return
        this.#online = true
        this.#reported = { on: feedback.on, atMs: nowMs }
        this.#checkCurrent(feedback.watts, nowMs)
        break
      case 'online':
        if (feedback.online !== this.#online) log(`${name}: its relay is ${feedback.online ? 'back' : 'not reachable'}`)
        this.#online = feedback.online
        this.forget()
        break
      case 'refused':
        log(`${name}: its relay refused: ${feedback.why}`)
        this.#said = undefined
        this.#refused = true
        break
    }
  }

  #assert(nowMs: number): void {
    if (nowMs < this.#heldUntilMs || !this.#isDue(nowMs)) return
    this.#triedMs = nowMs
    this.#refused = false
    const { settings, asker, publish } = this.#parts
    const on = this.#through(this.#wantOpen)
    const messages = this.#driver.publishes(settings, { on, backAfterS: this.#autoOffS(this.#wantOpen) }, asker)
    const taken = messages.map(publish).every(Boolean)
    this.#said = taken && this.#online ? { open: this.#wantOpen, atMs: nowMs } : undefined
  }

  /** A relay said to be away is spoken to as well, only not as often: what says so may be wrong. */
  #isDue(nowMs: number): boolean {
    const sinceMs = nowMs - this.#triedMs
    if (sinceMs >= this.#parts.settings.autoOffS * 500) return true
    if (this.#contradicted || this.#refused) return sinceMs >= CORRECT_AFTER_MS
    return this.#online && this.#said?.open !== this.#wantOpen
  }

  /** Only a report newer than what was said last can contradict it. */
  get #contradicted(): boolean {
    if (!this.#said || !this.#reported || this.#reported.atMs <= this.#said.atMs) return false
    return this.#reported.on !== this.#through(this.#said.open)
  }

  #checkCurrent(watts: number | null, nowMs: number): void {
    const { settings, log, name } = this.#parts
    const energised = this.#said !== undefined && this.#reported?.on === true
    if (watts === null || !energised || settings.normally === 'open' || this.#idleActuatorTold) return
    if (watts >= DRAWS_CURRENT_W || nowMs - (this.#said?.atMs ?? nowMs) < DRAWS_AFTER_MS) return
    this.#idleActuatorTold = true
    log(`${name}: the relay is on, but the actuator draws no current; is it connected?`)
  }

  #autoOffS(open: boolean): number | null {
    return open && this.#driver.goesBack(this.#through(open)) ? this.#parts.settings.autoOffS : null
  }

  /** From open to on, and from on to open: a normally open actuator closes by current. */
  #through(state: boolean): boolean {
    return state !== (this.#parts.settings.normally === 'open')
  }
}
