import type { MqttRelay, Publish } from './driver.ts'
import { mqttSubscriptions, onlineIn } from './mqtt.ts'
import type { RelayHealth, Switch } from './relay.ts'

/** A smaller move is not worth a start of the motor. */
const LEAST_MOVE = 0.05
/** At an end it runs on for so much of its running time: there its position is certain again. */
const BEYOND_END = 0.2
/** Before it turns round. */
const PAUSE_MS = 1_000

type Direction = 'open' | 'close'

const isEnd = (position: number): boolean => position === 0 || position === 1

interface ThreePointParts {
  mqtt: MqttRelay
  set: Extract<MqttRelay['set'], { kind: 'three-point' }>
  publish(message: Publish): boolean
}

/** A motor that opens, closes and stops. Its position is known by the time it has run. */
export class ThreePoint implements Switch {
  readonly #parts: ThreePointParts
  #power = 0
  #moving: { direction: Direction; from: number; sinceMs: number; untilMs: number } | null = null
  #position = 0
  /** Certain once it has run beyond one of its ends; before, it may stand anywhere, and even move. */
  #isCertain = false
  #isStopped = false
  /** Whether it has run beyond the end at which it stands. */
  #isAtEnd = false
  #stoppedMs = Number.NEGATIVE_INFINITY
  #online = true
  #heldUntilMs = Number.NEGATIVE_INFINITY

  constructor(parts: ThreePointParts) {
    this.#parts = parts
  }

  get subscriptions(): string[] {
    return mqttSubscriptions(this.#parts.mqtt)
  }

  get health(): RelayHealth {
    return { state: this.#online ? 'ok' : 'silent', stuck: null, faults: 0 }
  }

  aim(power: number): void {
    this.#power = power
  }

  set(open: boolean, nowMs: number): void {
    if (nowMs < this.#heldUntilMs) return
    if (!this.#isStopped) {
      this.#isStopped = this.#stop(nowMs)
      return
    }
    const commanded = open ? this.#power : 0
    // To the end at which the least changes: a loop that was open stays open.
    const end = this.#position > 0 ? 1 : 0
    const target = this.#isCertain || isEnd(commanded) ? commanded : end
    if (this.#moving) this.#continueMove(target, nowMs)
    else if (nowMs - this.#stoppedMs >= PAUSE_MS) this.#startTowards(target, nowMs)
  }

  watch(nowMs: number): void {
    if (this.#moving) this.#stop(nowMs)
  }

  isKnown(): boolean {
    return false
  }

  isOpen(nowMs: number): boolean {
    return this.share(nowMs) > 0
  }

  share(nowMs: number): number {
    if (!this.#online) return 0
    if (!this.#moving) return this.#position
    const { direction, from, sinceMs } = this.#moving
    const moved = (nowMs - sinceMs) / this.#runMs
    return Math.min(1, Math.max(0, direction === 'open' ? from + moved : from - moved))
  }

  receive(topic: string, payload: Uint8Array): void {
    const online = onlineIn(this.#parts.mqtt, topic, payload)
    if (online === undefined) return
    // A device that was away may have stopped anywhere.
    if (online && !this.#online) this.#lose()
    this.#online = online
  }

  presume(share: number): void {
    this.#position = share
  }

  ask(): void {}

  hasReported(): boolean {
    return true
  }

  /** A stop that could not be published is tried again at every step. */
  forget(): void {}

  hasLapsed(): boolean {
    return false
  }

  hold(untilMs: number): void {
    this.#heldUntilMs = untilMs
    this.#lose()
  }

  /** It closes to its end, where its own switch stops it. */
  leave(): void {
    if (this.#position !== 0 || this.#moving) this.#publish('close')
  }

  #startTowards(target: number, nowMs: number): void {
    const from = this.#position
    const isThere = isEnd(target) ? from === target && this.#isAtEnd : Math.abs(target - from) < LEAST_MOVE
    if (isThere) return
    const direction: Direction = target > from || target === 1 ? 'open' : 'close'
    if (!this.#publish(direction)) return
    this.#moving = { direction, from, sinceMs: nowMs, untilMs: nowMs + this.#durationMs(from, target) }
    this.#isAtEnd = false
  }

  #continueMove(target: number, nowMs: number): void {
    if (!this.#moving) return
    const { direction, from, sinceMs } = this.#moving
    const isAhead = direction === 'open' ? target > from || target === 1 : target < from || target === 0
    if (isAhead) this.#moving.untilMs = sinceMs + this.#durationMs(from, target)
    if (isAhead && nowMs < this.#moving.untilMs) return
    const hasReachedEnd = isAhead && isEnd(target)
    if (!this.#stop(nowMs)) return
    this.#isAtEnd = hasReachedEnd
    this.#isCertain ||= hasReachedEnd
  }

  #durationMs(from: number, target: number): number {
    const beyond = isEnd(target) ? BEYOND_END : 0
    return ((this.#isCertain ? Math.abs(target - from) : 1) + beyond) * this.#runMs
  }

  #stop(nowMs: number): boolean {
    const position = this.share(nowMs)
    if (!this.#publish('stop')) return false
    this.#position = position
    this.#moving = null
    this.#stoppedMs = nowMs
    return true
  }

  /** The motor of two relays has one for each direction, and never both on. */
  #publish(what: Direction | 'stop'): boolean {
    const { set, publish } = this.#parts
    const { topic, closeTopic, open, close, stop } = set
    if (closeTopic === null) return publish({ topic, payload: { open, close, stop }[what] })
    const [first, second] = what === 'close' ? [topic, closeTopic] : [closeTopic, topic]
    if (!publish({ topic: first, payload: stop })) return false
    return publish({ topic: second, payload: what === 'stop' ? stop : what === 'open' ? open : close })
  }

  #lose(): void {
    this.#moving = null
    this.#isCertain = false
    this.#isStopped = false
  }

  get #runMs(): number {
    return this.#parts.set.runS * 1000
  }
}
