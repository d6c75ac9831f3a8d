import { DOWN, downTopic, parsePayload, upTopic } from '@hypocaust/domain'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { connect, type MqttClient } from 'mqtt'
import { CERTIFICATE, type SettledHouse } from './installation.ts'

const SEND_EVERY_MS = 100
const SAY_AGAIN_AFTER_MS = 3000
const MOST_UNDER_WAY = 10
const BOOT = 'persistent'

/** The least a gateway must do: keep every message until it is committed, and say it again until then. */
export class PersistentGateway {
  readonly #id: string
  readonly #sensorOf: (n: number) => string
  readonly #client: MqttClient
  readonly #waiting = new Map<number, { text: string; saidMs: number }>()
  #timer: NodeJS.Timeout | undefined
  sent = 0
  committed = 0

  /** Every message has one reading, of a sensor of its own: a lost one leaves a gap, one taken twice shows as two rows. */
  constructor(port: number, { gatewayId, token }: SettledHouse, sensorOf: (n: number) => string) {
    this.#id = gatewayId
    this.#sensorOf = sensorOf
    this.#client = connect(`mqtts://127.0.0.1:${port}`, {
      protocolVersion: 4,
      clientId: gatewayId,
      username: gatewayId,
      password: token,
      ca: CERTIFICATE,
      reconnectPeriod: 100,
      queueQoSZero: false,
    })
    this.#client.on('error', () => {})
    this.#client.on('message', (_topic, payload) => this.#hear(payload))
    this.#client.on('connect', () => {
      // Its readings are stamped at arrival, so that one taken in twice could not hide behind its own time stamp.
      this.#say('heartbeat', JSON.stringify({ boot: BOOT, clock_ok: false }))
      this.#client.subscribe(downTopic(gatewayId, 'commit'), { qos: 1 })
    })
  }

  start(): void {
    this.#timer = setInterval(() => this.#turn(), SEND_EVERY_MS)
  }

  /** Sends nothing new, and says the rest again until all is committed. */
  async finish(): Promise<void> {
    this.#isFinishing = true
    await eventually(() => this.#waiting.size === 0)
    clearInterval(this.#timer)
    await this.#client.endAsync(true)
  }

  #isFinishing = false

  #turn(): void {
    const nowMs = Date.now()
    if (!this.#isFinishing && this.#waiting.size < MOST_UNDER_WAY) {
      const n = this.sent++
      const readings = [{ id: this.#sensorOf(n), temperature: 20, timestamp: new Date(nowMs).toISOString() }]
      this.#waiting.set(n, { text: JSON.stringify({ boot: BOOT, n, backfill: n % 3 === 0, readings }), saidMs: 0 })
    }
    for (const message of this.#waiting.values()) {
      if (nowMs - message.saidMs < SAY_AGAIN_AFTER_MS) continue
      message.saidMs = nowMs
      this.#say('readings', message.text)
    }
  }

  #hear(payload: Buffer): void {
    const parsed = parsePayload(DOWN.commit, payload)
    if (parsed.ok && this.#waiting.delete(parsed.value.n)) this.committed++
  }

  #say(name: 'heartbeat' | 'readings', text: string): void {
    if (this.#client.connected) this.#client.publish(upTopic(this.#id, name), text, { qos: 0 })
  }
}
