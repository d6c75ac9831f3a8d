import { setTimeout as sleep } from 'node:timers/promises'
import { DOWN, downTopic, type PowerCommand, parsePayload, upTopic } from '@hypocaust/domain'
import { connectAsync, type MqttClient } from 'mqtt'
import type { House } from './houses.ts'

const CONNECTING_AT_ONCE = 20
const BOOT = 'loadtest'
const SAY_AGAIN_AFTER_MS = 8000

interface Gateway {
  house: House
  client: MqttClient
  n: number
  /** Messages not yet committed, and when they were due. */
  waiting: Map<number, { dueMs: number; message: object }>
}

/** Gateways that speak the real protocol, each over a connection of its own. */
export class Fleet {
  readonly #gateways: Gateway[]
  #next = 0
  #drift = 0
  sent = 0
  committed = 0
  latenciesMs: number[] = []
  onCommit: (gateway: number) => void = () => {}

  private constructor(gateways: Gateway[]) {
    this.#gateways = gateways
  }

  static async connect(url: string, houses: House[]): Promise<Fleet> {
    const gateways: Gateway[] = []
    const fleet = new Fleet(gateways)
    for (let first = 0; first < houses.length; first += CONNECTING_AT_ONCE) {
      const some = houses.slice(first, first + CONNECTING_AT_ONCE)
      gateways.push(...(await Promise.all(some.map((house, i) => fleet.#join(url, house, first + i)))))
    }
    return fleet
  }

  get size(): number {
    return this.#gateways.length
  }

  /** Of all their buildings. */
  get rooms(): number {
    return this.#gateways.reduce((sum, { house }) => sum + house.roomIds.length, 0)
  }

  get outstanding(): number {
    return this.sent - this.committed
  }

  /** One message with a reading of every room, from the gateway whose turn it is or the one named. */
  send(dueMs: number, { backfill = false, from = this.#next++ % this.size } = {}): void {
    const gateway = this.#gateways[from]
    if (!gateway) return
    const n = ++gateway.n
    const timestamp = new Date().toISOString()
    const readings = gateway.house.sensorIds.map((id) => ({
      id,
      temperature: 20 + ((this.#drift++ * 7) % 30) / 20,
      humidity: 45,
      batt: 81,
      rssi: -71,
      timestamp,
    }))
    const message = { boot: BOOT, n, backfill, readings }
    gateway.waiting.set(n, { dueMs, message })
    this.sent++
    this.#say(gateway, 'readings', message, 1)
  }

  beat(): void {
    const gateway = this.#gateways[this.#next % this.size]
    if (gateway) this.#say(gateway, 'heartbeat', { boot: BOOT, timestamp: new Date().toISOString(), clock_ok: true }, 0)
  }

  /** True when everything sent has been committed in time; what is not is said again, as a gateway does. */
  async drained(limitMs: number): Promise<boolean> {
    const giveUp = Date.now() + limitMs
    for (let againMs = Date.now() + SAY_AGAIN_AFTER_MS; this.outstanding > 0; await sleep(20)) {
      if (Date.now() > giveUp) return false
      if (Date.now() < againMs) continue
      againMs = Date.now() + SAY_AGAIN_AFTER_MS
      for (const gateway of this.#gateways)
        for (const { message } of gateway.waiting.values()) this.#say(gateway, 'readings', message, 1)
    }
    return true
  }

  /** Forgets what was measured, not what is under way. */
  reset(): void {
    this.latenciesMs = []
  }

  async leave(): Promise<void> {
    await Promise.all(this.#gateways.map(({ client }) => client.endAsync(true)))
  }

  async #join(url: string, house: House, index: number): Promise<Gateway> {
    const { gatewayId, gatewayToken } = house
    const client = await connectAsync(url, {
      protocolVersion: 4,
      clientId: gatewayId,
      username: gatewayId,
      password: gatewayToken,
      reconnectPeriod: 0,
    })
    const gateway: Gateway = { house, client, n: 0, waiting: new Map() }
    client.on('message', (topic, payload) => this.#hear(gateway, index, topic, payload))
    const heard = (['commit', 'power', 'config'] as const).map((name) => downTopic(gatewayId, name))
    await client.subscribeAsync(heard, { qos: 1 })
    this.#report(gateway, null)
    return gateway
  }

  #hear(gateway: Gateway, index: number, topic: string, payload: Buffer): void {
    const { gatewayId } = gateway.house
    if (topic === downTopic(gatewayId, 'config')) {
      const config = parsePayload(DOWN.config, payload)
      if (config.ok) this.#report(gateway, config.value.revision)
    }
    if (topic === downTopic(gatewayId, 'power')) {
      const command = parsePayload(DOWN.power, payload)
      if (command.ok) this.#acknowledge(gateway, command.value)
    }
    if (topic !== downTopic(gatewayId, 'commit')) return
    const parsed = parsePayload(DOWN.commit, payload)
    const sent = parsed.ok ? gateway.waiting.get(parsed.value.n) : undefined
    if (!parsed.ok || !sent) return
    gateway.waiting.delete(parsed.value.n)
    this.committed++
    this.latenciesMs.push(performance.now() - sent.dueMs)
    this.onCommit(index)
  }

  /** Also which configuration it has: one that is not confirmed is sent again and again. */
  #report({ client, house }: Gateway, config_revision: number | null): void {
    const channels = house.roomIds.length
    const status = { state: 'online', boot: BOOT, version: '1.0.0', channels, config_revision }
    client.publish(upTopic(house.gatewayId, 'status'), JSON.stringify(status), { qos: 1, retain: true })
  }

  /** A command that is not acknowledged counts as not heard. */
  #acknowledge(gateway: Gateway, { epoch, seq }: PowerCommand): void {
    this.#say(gateway, 'ack', { epoch, seq, result: 'accepted' }, 1)
  }

  #say({ client, house }: Gateway, name: 'readings' | 'heartbeat' | 'ack', message: object, qos: 0 | 1): void {
    client.publish(upTopic(house.gatewayId, name), JSON.stringify(message), { qos })
  }
}
