import { parseJson, textOf } from '../base/json.ts'
import type { Log } from '../base/log.ts'
import { valueIn } from '../profiles/path.ts'
import type { MqttRelay, Publish } from './driver.ts'
import { mqttSubscriptions, onlineIn } from './mqtt.ts'
import type { RelayHealth, Switch } from './relay.ts'

const AGAIN_MS = 300_000
/** A motor needs a while; one that has not reported anything by then does not answer. */
const SILENT_AFTER_MS = 600_000

interface PositionParts {
  /** For people, in the log: `channel 3 (bath)`. */
  name: string
  mqtt: MqttRelay
  set: Extract<MqttRelay['set'], { kind: 'percent' }>
  publish(message: Publish): boolean
  log: Log
}

/** Stands for the position in the payload of an actuator. */
export const VALUE = '{value}'
/** Devices with so many steps take whole numbers; others take volts or shares. */
const WHOLE_FROM = 20

/** An actuator with a position of 0 to 100 %: it gets the power itself, without windows. */
export class Position implements Switch {
  readonly #parts: PositionParts
  #power = 0
  #said: { percent: number; atMs: number } | undefined
  #reported: { percent: number; atMs: number } | undefined
  #unansweredSinceMs: number | undefined
  /** Where it was when the agent ended. */
  #presumedPercent = 0
  #online = true
  #heldUntilMs = Number.NEGATIVE_INFINITY
  #health: RelayHealth = { state: 'ok', stuck: null, faults: 0 }

  constructor(parts: PositionParts) {
    this.#parts = parts
  }

  get subscriptions(): string[] {
    return mqttSubscriptions(this.#parts.mqtt)
  }

  get health(): RelayHealth {
    return this.#health
  }

  aim(power: number): void {
    this.#power = power
  }

  set(open: boolean, nowMs: number): void {
    if (nowMs < this.#heldUntilMs) return
    const percent = open ? Math.round(this.#power * 100) : 0
    const isNews = percent !== this.#said?.percent
    if (isNews || nowMs - (this.#said?.atMs ?? 0) >= AGAIN_MS) this.#command(percent, isNews, nowMs)
    this.#examine(nowMs)
  }

  watch(): void {
    this.#said = undefined
    this.#unansweredSinceMs = undefined
    this.#health = { state: 'ok', stuck: null, faults: 0 }
  }

  isKnown(): boolean {
    return this.#online && this.#parts.mqtt.state !== null && this.#reported !== undefined
  }

  isOpen(nowMs: number): boolean {
    return this.share(nowMs) > 0
  }

  /** The position as reported, or as commanded where none is reported. */
  share(_nowMs: number): number {
    if (!this.#online || this.#health.state === 'silent') return 0
    const { state } = this.#parts.mqtt
    return ((state ? this.#reported?.percent : this.#said?.percent) ?? this.#presumedPercent) / 100
  }

  receive(topic: string, payload: Uint8Array, _retained: boolean, nowMs: number): void {
    const { mqtt, set } = this.#parts
    const online = onlineIn(mqtt, topic, payload)
    if (online !== undefined) {
      if (online && !this.#online) this.forget()
      this.#online = online
    }
    if (mqtt.state?.topic !== topic) return
    const percent = (100 * Number(valueIn(parseJson(payload) ?? textOf(payload), mqtt.state.path))) / set.scale
    if (!(percent >= 0 && percent <= 100)) return
    this.#reported = { percent, atMs: nowMs }
    this.#unansweredSinceMs = undefined
  }

  presume(share: number): void {
    this.#presumedPercent = share * 100
  }

  ask(): void {}

  hasReported(): boolean {
    return this.#parts.mqtt.state === null || this.#reported !== undefined
  }

  forget(): void {
    this.#presumedPercent = this.#said?.percent ?? this.#presumedPercent
    this.#said = undefined
  }

  /** It has no timer of its own. */
  hasLapsed(): boolean {
    return false
  }

  hold(untilMs: number): void {
    this.#heldUntilMs = untilMs
    this.forget()
  }

  /** It does not close by itself. */
  leave(nowMs: number): void {
    if (this.#said && this.#said.percent > 0) this.#command(0, true, nowMs)
  }

  #command(percent: number, isNews: boolean, nowMs: number): void {
    const { set } = this.#parts
    const value = (percent * set.scale) / 100
    const sent = set.scale >= WHOLE_FROM ? Math.round(value) : Math.round(value * 1000) / 1000
    const payload = set.payload.replaceAll(VALUE, String(sent))
    const isTaken = this.#parts.publish({ topic: set.topic, payload })
    this.#said = isTaken ? { percent, atMs: nowMs } : undefined
    if (isTaken && isNews && this.#parts.mqtt.state && percent !== Math.round(this.#reported?.percent ?? -1))
      this.#unansweredSinceMs ??= nowMs
  }

  #examine(nowMs: number): void {
    const waitsMs = nowMs - (this.#unansweredSinceMs ?? nowMs)
    const state = !this.#online || waitsMs >= SILENT_AFTER_MS ? 'silent' : 'ok'
    if (state === this.#health.state) return
    this.#health = { state, stuck: null, faults: this.#health.faults + (state === 'ok' ? 0 : 1) }
    const { log, name } = this.#parts
    log(`${name}: its actuator ${state === 'ok' ? 'answers again' : 'does not answer; time is not counted as open'}`)
  }
}
