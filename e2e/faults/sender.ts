import { DOWN, downTopic, parsePayload, upTopic } from '@hypocaust/domain'
import { connect, type MqttClient } from 'mqtt'
import { sensorOf, temperatureOf } from './codes.ts'
import { Gaps } from './gaps.ts'

const SEND_EVERY_MS = 100
const SAY_AGAIN_AFTER_MS = 1500
const MOST_UNDER_WAY = 20
const BOOT = 'sender'

interface SenderChoice {
  /** Of the broker. */
  url: string
  /** The broker's certificate, where it is not known otherwise. */
  ca?: string
  /** Without an answer from the broker for half as long again it connects anew. */
  keepaliveS?: number
  house: number
  gatewayId: string
  token: string
  /** Without a clock its readings are stamped by the service, so that none taken in twice hides behind its own time. */
  hasClock: boolean
  onCommit?(): void
}

/** The least a gateway must do: keep every message until it is committed, and say it again until then. */
export class Sender {
  readonly #choice: SenderChoice
  readonly #client: MqttClient
  readonly #cause: () => string
  readonly #waiting = new Map<number, { text: string; saidMs: number }>()
  readonly gaps = new Gaps()
  #timer: NodeJS.Timeout | undefined
  #isSending = true
  sent = 0
  committed = 0

  constructor(choice: SenderChoice, cause: () => string) {
    this.#choice = choice
    this.#cause = cause
    const { url, ca, keepaliveS = 2, gatewayId, token } = choice
    this.#client = connect(url, {
      ...(ca && { ca }),
      protocolVersion: 4,
      clientId: gatewayId,
      username: gatewayId,
      password: token,
      reconnectPeriod: 100,
      connectTimeout: 10_000,
      keepalive: keepaliveS,
      reconnectOnConnackError: true,
      queueQoSZero: false,
    })
    this.#client.on('error', () => {})
    this.#client.on('message', (_topic, payload) => this.#hear(payload))
    this.#client.on('connect', () => {
      this.#say('heartbeat', JSON.stringify({ boot: BOOT, clock_ok: choice.hasClock }))
      this.#client.subscribe(downTopic(gatewayId, 'commit'), { qos: 1 })
      for (const message of this.#waiting.values()) message.saidMs = 0
    })
  }

  get waiting(): number {
    return this.#waiting.size
  }

  start(): void {
    this.#timer = setInterval(() => this.#turn(), SEND_EVERY_MS)
  }

  /** Nothing new, and the rest again until all is committed. */
  finish(): void {
    this.#isSending = false
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#client.endAsync(true)
  }

  #turn(): void {
    const nowMs = performance.now()
    if (this.#isSending && this.#waiting.size < MOST_UNDER_WAY) this.#keep(this.sent++)
    for (const message of this.#waiting.values()) {
      if (message.saidMs !== 0 && nowMs - message.saidMs < SAY_AGAIN_AFTER_MS) continue
      if (this.#say('readings', message.text)) message.saidMs = nowMs
    }
  }

  #keep(n: number): void {
    const { house } = this.#choice
    const reading = { id: sensorOf(house, n), temperature: temperatureOf(n), timestamp: new Date().toISOString() }
    const text = JSON.stringify({ boot: BOOT, n, backfill: n % 3 === 0, readings: [reading] })
    this.#waiting.set(n, { text, saidMs: 0 })
  }

  #hear(payload: Buffer): void {
    const parsed = parsePayload(DOWN.commit, payload)
    if (!parsed.ok || !this.#waiting.delete(parsed.value.n)) return
    this.committed++
    this.gaps.success(this.#cause())
    this.#choice.onCommit?.()
  }

  #say(name: 'heartbeat' | 'readings', text: string): boolean {
    if (!this.#client.connected) return false
    this.#client.publish(upTopic(this.#choice.gatewayId, name), text, { qos: 0 })
    return true
  }
}
