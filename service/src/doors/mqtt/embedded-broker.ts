import { type EventEmitter, once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, Server as TlsServer } from 'node:tls'
import { TOPIC_ROOT, UUID_PATTERN, upTopic } from '@hypocaust/domain'
import { Aedes, type AedesPublishPacket, type AuthenticateError, type Client, type Subscription } from 'aedes'
import { writeToStream } from 'mqtt-packet'
import type { Logger } from 'pino'
import { hashSecret } from '../../base/secret.ts'
import { StartupError } from '../../base/startup-error.ts'
import { isGateway, tokenHashesOf } from '../../house/gateways/gateways.ts'
import type { Store } from '../../store/store.ts'
import type { ServerTls } from '../tls/choose.ts'
import { BrokerStream } from './broker-stream.ts'
import type { MqttLink, OnMessage, PublishOptions } from './link.ts'
import { PacketGuard } from './packet-guard.ts'
import { arePubacks, pubackOf, publishesIn, type Topic, topicOf } from './packets.ts'
import { gatewayOf, Subscribers } from './subscribers.ts'

export interface EmbeddedBrokerOptions {
  host: string
  port: number
  maxConnections: number
  tls?: ServerTls
}

const MAX_PACKET_BYTES = 256 * 1024
const MAX_SUBSCRIPTIONS = 100
const PROBE_SILENT_SOCKET_AFTER_MS = 60_000
/** As MQTT has it. */
const SILENT_AFTER_KEEPALIVES = 1.5
const PAST_THE_BROKER = ['readings', 'ack'] as const
const UP_FILTER = `${TOPIC_ROOT}/+/up/#`
const WRONG_CREDENTIALS = 4
const UNAVAILABLE = 3

interface SignedIn {
  id: string
  tokenHash: string
  /** Of what is taken in past the broker. */
  topics: Topic[]
  subscriptions: number
  /** Messages of the gateway that the broker has and has not passed on yet. */
  underWay: number
}

/** The broker inside the service. Gateways sign in with their id and token and see only their own topics. */
export class EmbeddedBroker implements MqttLink {
  readonly isUp = true
  readonly #store: Store
  readonly #options: EmbeddedBrokerOptions
  readonly #logger: Logger
  readonly #aedes: Aedes
  readonly #server: Server
  /** Beyond the connection's end, for its will is published then. */
  readonly #gateways = new WeakMap<Client, SignedIn>()
  readonly #connections = new Map<Socket, Client>()
  /** Of the gateways that have signed in: as a rule one each. */
  readonly #streams = new Map<string, Set<BrokerStream>>()
  readonly #subscribers = new Subscribers()
  #onMessage: OnMessage | undefined

  constructor(store: Store, options: EmbeddedBrokerOptions, logger: Logger) {
    this.#store = store
    this.#options = options
    this.#logger = logger
    // Else an object for each number that a packet could have: 7 MB, looked at by every collection of garbage.
    writeToStream.cacheNumbers = false
    this.#aedes = new Aedes({
      // No common limit: else messages that wait for the database would keep its own answers from going out.
      concurrency: 0,
      preConnect: (client, packet, done) => {
        // What the broker would keep for an absent gateway fills the memory, and is stale when it comes back.
        packet.clean = true
        // The broker does not see every packet, so it cannot know when a gateway was last heard.
        if (client.conn instanceof BrokerStream && packet.keepalive)
          client.conn.endAfterSilenceOf(packet.keepalive * SILENT_AFTER_KEEPALIVES * 1000)
        packet.keepalive = 0
        if (isOwnWill(packet.username, packet.will?.topic)) done(null, true)
        else done(new Error('not its will'), false)
      },
      authenticate: (client, username, password, done) => {
        this.#authenticate(client, username ?? '', password?.toString() ?? '').then(
          (error) => done(error, error === null),
          () => done(refusal(UNAVAILABLE), null),
        )
      },
      authorizePublish: (client, packet, done) =>
        done(this.#mayPublish(client, packet) ? null : new Error('not its topic')),
      published: (_packet, client, done) => {
        const gateway = client && this.#gateways.get(client)
        if (gateway) gateway.underWay--
        done()
      },
      authorizeSubscribe: (client, subscription, done) =>
        done(null, this.#subscribe(client, subscription) ? subscription : null),
    })
    const accept = (socket: Socket) => this.#accept(socket)
    this.#server = options.tls ? createTlsServer(options.tls, accept) : createServer(accept)
    this.#server.maxConnections = options.maxConnections
  }

  get port(): number {
    return (this.#server.address() as { port: number }).port
  }

  async start({ onMessage, onConnect }: Parameters<MqttLink['start']>[0]): Promise<void> {
    await this.#aedes.listen()
    this.#aedes.on('clientError', (_client, error) => this.#logger.debug({ err: error }, 'gateway connection ended'))
    this.#aedes.on('unsubscribe', (filters, client) => {
      const gateway = this.#gateways.get(client)
      if (gateway && client.conn instanceof BrokerStream) this.#subscribers.remove(gateway.id, client.conn, filters)
    })
    this.#aedes.on('connectionError', (_client, error) => this.#logger.debug({ err: error }, 'connection ended'))
    const events: EventEmitter = this.#aedes
    events.on('error', (error) => this.#logger.error({ err: error }, 'MQTT broker'))
    this.#onMessage = onMessage
    await this.#hear(onMessage)
    await this.#listen()
    onConnect()
  }

  publish(topic: string, payload: string, { qos, retain }: PublishOptions): Promise<boolean> {
    if (!retain && this.#subscribers.send(topic, payload, qos)) return Promise.resolve(true)
    return new Promise((resolve) => {
      const packet = { cmd: 'publish' as const, topic, payload: Buffer.from(payload), qos, retain, dup: false }
      this.#aedes.publish(packet, (error) => resolve(!error))
    })
  }

  /** Disconnects gateways whose token has been replaced or revoked. */
  async dropRevoked(): Promise<void> {
    const signedIn = [...this.#connections.values()].flatMap((client) => {
      const gateway = this.#gateways.get(client)
      return gateway ? [{ client, ...gateway }] : []
    })
    const hashes = await tokenHashesOf(this.#store, new Set(signedIn.map(({ id }) => id)))
    for (const { client, id, tokenHash } of signedIn) if (hashes.get(id) !== tokenHash) client.close()
  }

  /** From the next connection on; those that stand go on. */
  useCertificate(tls: ServerTls): void {
    if (this.#server instanceof TlsServer) this.#server.setSecureContext(tls)
  }

  /** Its gateways have nowhere else to go: they keep what they have until it is back. */
  async stopHearing(): Promise<void> {}

  async stop(): Promise<void> {
    this.#server.close()
    await new Promise<void>((resolve) => this.#aedes.close(resolve))
    for (const socket of this.#connections.keys()) socket.destroy()
  }

  /** The broker goes on reading while a message waits for room, so its gateway is held back here. */
  #hear(onMessage: OnMessage): Promise<void> {
    const deliver = ({ topic, payload }: AedesPublishPacket, done: () => void) => {
      const room = onMessage({ topic, payload: Buffer.from(payload) })
      if (room) for (const stream of this.#streams.get(gatewayOf(topic)) ?? []) stream.holdUntil(room)
      Promise.resolve(room).then(done, done)
    }
    return new Promise((resolve) => this.#aedes.subscribe(UP_FILTER, deliver, resolve))
  }

  async #listen(): Promise<void> {
    const { host, port } = this.#options
    this.#server.listen(port, host)
    try {
      await once(this.#server, 'listening')
    } catch (error) {
      await this.stop()
      throw new StartupError(whyNotListening(error as NodeJS.ErrnoException, host, port))
    }
  }

  #accept(socket: Socket): void {
    const guard = new PacketGuard(MAX_PACKET_BYTES)
    socket.setKeepAlive(true, PROBE_SILENT_SOCKET_AFTER_MS)
    const stream = new BrokerStream(socket, (bytes) => {
      const isFirst = guard.isBetweenPackets
      if (!guard.allows(bytes)) {
        stream.destroy()
        return true
      }
      return isFirst && this.#take(client, stream, bytes)
    })
    const client = this.#aedes.handle(stream)
    socket.on('close', () => {
      this.#connections.delete(socket)
      const gateway = this.#gateways.get(client)
      if (!gateway) return
      this.#subscribers.removeAll(gateway.id, stream)
      const others = this.#streams.get(gateway.id)
      others?.delete(stream)
      if (others?.size === 0) this.#streams.delete(gateway.id)
    })
    this.#connections.set(socket, client)
  }

  /**
   * Nearly all that gateways send is readings, confirmations and acknowledgements. They are dealt with here: the broker,
   * made for any topic and any number of subscribers, would take several times as long.
   */
  #take(client: Client, stream: BrokerStream, bytes: Buffer): boolean {
    const gateway = client.connected && !client.closed ? this.#gateways.get(client) : undefined
    if (!gateway) return false
    // Nothing is kept for a gateway that could be repeated.
    if (arePubacks(bytes)) return true
    // Readings must not overtake a heartbeat which says that the gateway's clock is wrong.
    if (gateway.underWay > 0 || stream.readableLength > 0) return false
    const packets = publishesIn(bytes, gateway.topics)
    for (const { topic, messageId, payload } of packets ?? []) {
      const confirm = () => stream.send(pubackOf(messageId))
      const room = this.#onMessage?.({ topic, payload, confirm })
      if (room) stream.holdUntil(room)
    }
    return packets !== undefined
  }

  async #authenticate(client: Client, username: string, token: string): Promise<AuthenticateError | null> {
    // A client with the id of another gateway would disconnect that gateway.
    const isForeignId = client.id !== username && UUID_PATTERN.test(client.id.toLowerCase())
    if (isForeignId || !(await isGateway(this.#store, username, token))) return refusal(WRONG_CREDENTIALS)
    this.#gateways.set(client, {
      id: username,
      tokenHash: hashSecret(token),
      topics: PAST_THE_BROKER.map((name) => topicOf(upTopic(username, name))),
      subscriptions: 0,
      underWay: 0,
    })
    if (client.conn instanceof BrokerStream && !client.conn.destroyed)
      this.#streams.set(username, (this.#streams.get(username) ?? new Set()).add(client.conn))
    return null
  }

  #mayPublish(client: Client | null, packet: { topic: string; retain: boolean; qos: number }): boolean {
    const gateway = client && this.#gateways.get(client)
    // The protocol has no use for QoS 2, whose half-sent messages the broker would have to keep.
    if (!gateway || packet.qos > 1 || !packet.topic.startsWith(`${TOPIC_ROOT}/${gateway.id}/up/`)) return false
    // Only the status is retained; anything else kept for ever would be a way to fill the memory.
    if (packet.topic !== upTopic(gateway.id, 'status')) packet.retain = false
    gateway.underWay++
    return true
  }

  /** False if it may not. */
  #subscribe(client: Client, { topic: filter, qos }: Subscription): boolean {
    const gateway = this.#gateways.get(client)
    if (!gateway || ++gateway.subscriptions > MAX_SUBSCRIPTIONS) return false
    if (!filter.startsWith(`${TOPIC_ROOT}/${gateway.id}/down/`)) return false
    if (client.conn instanceof BrokerStream && !client.conn.destroyed)
      this.#subscribers.add(gateway.id, client.conn, filter, qos)
    return true
  }
}

const isOwnWill = (username: string | undefined, topic: string | undefined): boolean =>
  topic === undefined || topic.startsWith(`${TOPIC_ROOT}/${username}/up/`)

const refusal = (returnCode: number): AuthenticateError => Object.assign(new Error('not authorised'), { returnCode })

function whyNotListening({ code, message }: NodeJS.ErrnoException, host: string, port: number): string {
  switch (code) {
    case 'EADDRINUSE':
      return `MQTT port ${port} on ${host} is taken by another program. Choose another with --mqtt-port.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `this machine has no address ${host}. Choose another with --host.`
    default:
      return `cannot listen on MQTT port ${port} of ${host}: ${message}. Choose another with --mqtt-port.`
  }
}
