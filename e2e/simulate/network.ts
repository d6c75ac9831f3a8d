import type { Random } from '@hypocaust/simulator'
import type { Link } from '../../gateway/src/base/link.ts'
import type { MqttLink, OnMessage, PublishOptions } from '../../service/src/doors/mqtt/link.ts'
import type { Process, Scheduler } from './scheduler.ts'

/** How the line between gateway and service is. */
export interface Line {
  isCut: boolean
  /** Longest time a message takes. */
  latencyMs: number
  /** Share of the messages that are lost, or arrive twice, though the connection stands. */
  lost: number
  twice: number
}

export const GOOD_LINE: Line = { isCut: false, latencyMs: 40, lost: 0, twice: 0 }

interface Packet {
  topic: string
  payload: string
  qos: 0 | 1
}

interface Will {
  topic: string
  payload: string
}

/** The agent, as its connection sees it. */
interface Subscriber {
  process: Process
  will: Will
  /** Whether the service accepts its token. */
  authenticate(): Promise<boolean>
  onUp(): void
  onMessage(topic: string, payload: Uint8Array): void
}

/** What the checks see of the messages. */
interface Observer {
  /** The service has confirmed a message: it says that it is stored. */
  confirmed(packet: Packet): void
  /** A message has reached the agent. */
  delivered(topic: string, payload: string): void
  /** The agent has published. */
  published(packet: Packet): void
}

interface Broker {
  process: Process
  onMessage: OnMessage
  retained: Map<string, string>
}

interface Client {
  subscriber: Subscriber
  link: ClientLink
  /** Sent with QoS 1, and sent again on the next connection unless confirmed. */
  unconfirmed: Packet[]
}

interface Connection {
  isOpen: boolean
  /** When the last message of each direction arrives: one connection keeps their order. */
  upMs: number
  downMs: number
}

const NOTICED_AFTER_MS = 45_000
const RETRY_MS = { fastest: 1_000, slowest: 60_000 }

/** The broker inside the service, the gateway's client, and the line between them. */
export class Network {
  readonly #scheduler: Scheduler
  readonly #random: Random
  readonly #observer: Observer
  line: Line = GOOD_LINE
  #broker: Broker | undefined
  #client: Client | undefined
  #connection: Connection | undefined

  constructor(scheduler: Scheduler, random: Random, observer: Observer) {
    this.#scheduler = scheduler
    this.#random = random
    this.#observer = observer
  }

  get isConnected(): boolean {
    return this.#connection?.isOpen === true && this.#client?.link.connected === true
  }

  /** The service's end, for one life of it. */
  brokerOf(process: Process): MqttLink {
    const broker: Broker = { process, onMessage: () => undefined, retained: new Map() }
    return {
      isUp: true,
      publish: (topic, payload, options) => this.#publishDown(broker, topic, payload, options),
      start: async ({ onMessage, onConnect }) => {
        broker.onMessage = onMessage
        this.#broker = broker
        onConnect()
      },
      stopReceiving: async () => {},
      stop: async () => this.brokerEnds(),
    }
  }

  brokerEnds(): void {
    this.#broker = undefined
    this.#disconnect('at once')
  }

  /** The agent's end, for one life of it. */
  clientOf(subscriber: Subscriber): Link {
    const link = new ClientLink((packet) => this.#publishUp(packet))
    this.#client = { subscriber, link, unconfirmed: [] }
    this.#retry(RETRY_MS.fastest)
    return link
  }

  clientEnds(): void {
    this.#disconnect('at once')
    this.#client = undefined
  }

  cut(): void {
    this.line = { ...this.line, isCut: true }
    this.#disconnect('late')
  }

  /** The connection breaks, and the next attempt may succeed. */
  break(): void {
    this.#disconnect('at once')
  }

  #disconnect(noticed: 'at once' | 'late'): void {
    const connection = this.#connection
    if (!connection) return
    connection.isOpen = false
    this.#connection = undefined
    const [client, broker] = [this.#client, this.#broker]
    const lateMs = () => (noticed === 'late' ? this.#random.uniform() * NOTICED_AFTER_MS : 0)
    if (broker && client) {
      const { topic, payload } = client.subscriber.will
      this.#scheduler.in(lateMs(), () => this.#handOver(broker, { topic, payload, qos: 1 }), broker.process)
    }
    if (client)
      this.#scheduler.in(
        lateMs(),
        () => {
          if (this.#client !== client || this.#connection) return
          client.link.connected = false
          this.#retry(RETRY_MS.fastest)
        },
        client.subscriber.process,
      )
  }

  #retry(afterMs: number): void {
    const client = this.#client
    if (!client) return
    const again = () => this.#retry(Math.min(RETRY_MS.slowest, 2 * afterMs))
    this.#scheduler.in(
      afterMs * (0.5 + this.#random.uniform() / 2),
      () => {
        const broker = this.#broker
        if (this.#client !== client || this.#connection) return
        if (!broker || this.line.isCut) return again()
        const asked = async () => {
          const isKnown = await client.subscriber.authenticate().catch(() => undefined)
          this.#scheduler.in(
            this.#latencyMs(),
            () => this.#connected(client, broker, isKnown, again),
            client.subscriber.process,
          )
        }
        this.#scheduler.in(this.#latencyMs(), () => void asked(), broker.process)
      },
      client.subscriber.process,
    )
  }

  #connected(client: Client, broker: Broker, isKnown: boolean | undefined, again: () => void): void {
    if (this.#client !== client || this.#connection) return
    client.link.refused = isKnown === false
    if (!isKnown || this.#broker !== broker || this.line.isCut) {
      again()
      return
    }
    this.#connection = { isOpen: true, upMs: 0, downMs: 0 }
    client.link.connected = true
    // What was not confirmed on the old connection goes first, and may have arrived before.
    for (const packet of client.unconfirmed.splice(0)) this.#publishUp(packet)
    client.subscriber.onUp()
    for (const [topic, payload] of broker.retained) this.#sendDown(topic, payload)
  }

  #publishUp(packet: Packet): boolean {
    const [client, connection] = [this.#client, this.#connection]
    if (!client?.link.connected) return false
    this.#observer.published(packet)
    if (packet.qos === 1) client.unconfirmed.push(packet)
    if (!connection) return true
    for (let times = this.#copies(); times > 0; times--) {
      connection.upMs = Math.max(connection.upMs, this.#scheduler.nowMs + this.#latencyMs())
      const broker = this.#broker
      if (!broker) return true
      const arrive = () => {
        if (connection.isOpen) this.#handOver(broker, packet, () => this.#confirm(client, connection, packet))
      }
      this.#scheduler.in(connection.upMs - this.#scheduler.nowMs, arrive, broker.process)
    }
    return true
  }

  #handOver(broker: Broker, packet: Packet, confirm: () => void = () => {}): void {
    if (this.#broker !== broker) return
    const { topic, payload } = packet
    void broker.onMessage({
      topic,
      payload: Buffer.from(payload),
      confirm: () => {
        if (!broker.process.isAlive) return
        this.#observer.confirmed(packet)
        confirm()
      },
    })
  }

  #confirm(client: Client, connection: Connection, packet: Packet): void {
    if (!connection.isOpen || packet.qos === 0) return
    const arrive = () => {
      if (!connection.isOpen) return
      const at = client.unconfirmed.indexOf(packet)
      if (at >= 0) client.unconfirmed.splice(at, 1)
    }
    this.#scheduler.in(this.#latencyMs(), arrive, client.subscriber.process)
  }

  async #publishDown(broker: Broker, topic: string, payload: string, { retain }: PublishOptions): Promise<boolean> {
    await this.#scheduler.sleep(this.#random.uniform() * 2)
    if (this.#broker !== broker) return false
    if (retain) broker.retained.set(topic, payload)
    for (let times = this.#copies(); times > 0; times--) this.#sendDown(topic, payload)
    return true
  }

  #sendDown(topic: string, payload: string): void {
    const [client, connection] = [this.#client, this.#connection]
    if (!client || !connection) return
    connection.downMs = Math.max(connection.downMs, this.#scheduler.nowMs + this.#latencyMs())
    const arrive = () => {
      if (!connection.isOpen || this.#client !== client) return
      this.#observer.delivered(topic, payload)
      client.subscriber.onMessage(topic, Buffer.from(payload))
    }
    this.#scheduler.in(connection.downMs - this.#scheduler.nowMs, arrive, client.subscriber.process)
  }

  #copies(): number {
    const { lost, twice } = this.line
    const drawn = this.#random.uniform()
    return drawn < lost ? 0 : drawn < lost + twice ? 2 : 1
  }

  #latencyMs(): number {
    return 1 + this.#random.uniform() ** 3 * this.line.latencyMs
  }
}

class ClientLink implements Link {
  connected = false
  refused = false
  readonly #publish: (packet: Packet) => boolean

  constructor(publish: (packet: Packet) => boolean) {
    this.#publish = publish
  }

  publish(topic: string, payload: string, { qos }: { qos: 0 | 1; retain: boolean }): boolean {
    return this.connected && this.#publish({ topic, payload, qos })
  }
}
