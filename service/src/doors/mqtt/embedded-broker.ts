import { type EventEmitter, once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, Server as TlsServer } from 'node:tls'
import { TOPIC_ROOT, UUID_PATTERN } from '@hypocaust/domain'
import { Aedes, type AuthenticateError, type Client } from 'aedes'
import { writeToStream } from 'mqtt-packet'
import type { Logger } from 'pino'
import { hashSecret } from '../../base/secret.ts'
import { StartupError } from '../../base/startup-error.ts'
import { isGateway, tokenHashesOf } from '../../house/gateways/gateways.ts'
import type { Store } from '../../store/store.ts'
import { type ConnectionLimits, limitSockets, refusing } from '../sockets.ts'
import type { ServerTls } from '../tls/choose.ts'
import { GatewayStream } from './gateway-stream.ts'
import type { MqttLink, OnMessage, PublishOptions } from './link.ts'

export interface EmbeddedBrokerOptions {
  host: string
  port: number
  connections: ConnectionLimits
  tls?: ServerTls
}

/** How long a connection may take to sign in. */
const CONNECT_WITHIN_MS = 5000

const MAX_PACKET_BYTES = 256 * 1024
const MAX_SUBSCRIPTIONS = 100
const PROBE_SILENT_SOCKET_AFTER_MS = 60_000
const SILENT = 'MQTT connections closed: no gateway signed in on them in time'
const WRONG_CREDENTIALS = 4
const UNAVAILABLE = 3

interface SignedIn {
  id: string
  tokenHash: string
  subscriptions: number
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
  readonly #refuse: (socket: Socket, why: string) => void
  #onMessage: OnMessage = () => undefined

  constructor(store: Store, options: EmbeddedBrokerOptions, logger: Logger, onRefused: () => void = () => {}) {
    const { connections, tls } = options
    this.#store = store
    this.#options = options
    this.#logger = logger
    this.#aedes = new Aedes({
      // No common limit: else messages that wait for the database would keep its own answers from going out.
      concurrency: 0,
      connectTimeout: CONNECT_WITHIN_MS,
      preConnect: (_client, packet, done) => {
        // What the broker would keep for an absent gateway fills the memory, and is stale when it comes back.
        packet.clean = true
        if (isOwnWill(packet.username, packet.will?.topic)) done(null, true)
        else done(new Error('not its will'), false)
      },
      authenticate: (client, username, password, done) => {
        this.#authenticate(client, username ?? '', password?.toString() ?? '').then(
          (error) => done(error, error === null),
          () => done(refusal(UNAVAILABLE), null),
        )
      },
      authorizePublish: (client, packet, done) => {
        if (this.#mayPublish(client, packet)) this.#takeIn(client, packet, done)
        else done(new Error('not its topic'))
      },
      authorizeSubscribe: (client, subscription, done) =>
        done(null, this.#maySubscribe(client, subscription.topic) ? subscription : null),
    })
    const accept = (socket: Socket) => this.#accept(socket)
    this.#server = tls ? createTlsServer({ ...tls, handshakeTimeout: CONNECT_WITHIN_MS }, accept) : createServer(accept)
    limitSockets(this.#server, connections, logger, onRefused)
    this.#refuse = refusing(logger, onRefused)
  }

  get port(): number {
    return (this.#server.address() as { port: number }).port
  }

  async start({ onMessage, onConnect }: Parameters<MqttLink['start']>[0]): Promise<void> {
    // Else an object for each number that a packet could have: 7 MB, looked at by every collection of garbage.
    writeToStream.cacheNumbers = false
    await this.#aedes.listen()
    this.#aedes.on('clientError', (_client, error) => this.#logger.debug({ err: error }, 'gateway connection ended'))
    this.#aedes.on('connectionError', (client, error) => {
      this.#logger.debug({ err: error }, 'connection ended')
      const socket = client.conn instanceof GatewayStream ? client.conn.socket : undefined
      if (socket && /connect did not arrive in time/.test(error.message)) this.#refuse(socket, SILENT)
    })
    const events: EventEmitter = this.#aedes
    events.on('error', (error) => this.#logger.error({ err: error }, 'MQTT broker'))
    this.#onMessage = onMessage
    await this.#listen()
    onConnect()
  }

  publish(topic: string, payload: string, { qos, retain }: PublishOptions): Promise<boolean> {
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
  async stopReceiving(): Promise<void> {}

  async stop(): Promise<void> {
    this.#server.close()
    await new Promise<void>((resolve) => this.#aedes.close(resolve))
    for (const socket of this.#connections.keys()) socket.destroy()
  }

  /** The broker confirms a message when `done` is called: once it is stored, or refused for good. */
  #takeIn(
    client: Client | null,
    { topic, payload }: { topic: string; payload: string | Buffer },
    done: () => void,
  ): void {
    const room = this.#onMessage({ topic, payload: Buffer.from(payload as Buffer), confirm: done })
    if (room && client?.conn instanceof GatewayStream) client.conn.holdUntil(room)
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
    if (socket.destroyed) return
    socket.setKeepAlive(true, PROBE_SILENT_SOCKET_AFTER_MS)
    const client = this.#aedes.handle(new GatewayStream(socket, MAX_PACKET_BYTES))
    socket.on('close', () => this.#connections.delete(socket))
    this.#connections.set(socket, client)
  }

  async #authenticate(client: Client, username: string, token: string): Promise<AuthenticateError | null> {
    // A client with the id of another gateway would disconnect that gateway.
    const isForeignId = client.id !== username && UUID_PATTERN.test(client.id.toLowerCase())
    if (isForeignId || !(await isGateway(this.#store, username, token))) return refusal(WRONG_CREDENTIALS)
    this.#gateways.set(client, { id: username, tokenHash: hashSecret(token), subscriptions: 0 })
    return null
  }

  #mayPublish(
    client: Client | null,
    packet: { topic: string; retain: boolean; qos: number; messageId?: number },
  ): boolean {
    const gateway = client && this.#gateways.get(client)
    // MQTT has no packet id 0: nobody could tell what its confirmation confirms.
    if (packet.qos > 0 && packet.messageId === 0) return false
    // The protocol has no use for QoS 2, whose half-sent messages the broker would have to keep.
    if (!gateway || packet.qos > 1 || !packet.topic.startsWith(`${TOPIC_ROOT}/${gateway.id}/up/`)) return false
    // The service has taken it in, and nobody else may subscribe to it: kept, it would only fill the memory.
    packet.retain = false
    return true
  }

  #maySubscribe(client: Client, filter: string): boolean {
    const gateway = this.#gateways.get(client)
    if (!gateway || ++gateway.subscriptions > MAX_SUBSCRIPTIONS) return false
    return filter.startsWith(`${TOPIC_ROOT}/${gateway.id}/down/`)
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
