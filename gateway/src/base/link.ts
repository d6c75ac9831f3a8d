import { setTimeout as sleep } from 'node:timers/promises'
import { brokerAddress } from '@hypocaust/domain'
import { connect, type IClientOptions, type MqttClient } from 'mqtt'
import type { Log } from './log.ts'

/** A broker as the agent sees it: it takes a message now, or it does not. */
export interface Link {
  readonly connected: boolean
  /** The broker does not accept our name and password. */
  readonly refused: boolean
  publish(topic: string, payload: string, how: { qos: 0 | 1; retain: boolean }): boolean
}

export interface LinkParts {
  /** For people, in the log: `the service's broker`. */
  name: string
  url: string
  options: IClientOptions
  slowestRetryMs: number
  /** While it holds, a session that the broker has ended is tried again late: another agent may have taken it over. */
  isPatient?(): boolean
  log: Log
  subscriptions(): readonly string[]
  onUp(): void
  /** Called for every connection that was up or on its way; left out where nobody asks. */
  onDown?(): void
  onMessage(topic: string, payload: Uint8Array, retained: boolean): void
}

const FASTEST_RETRY_MS = 1_000
const GOODBYE_MS = 2_000
const PATIENT_RETRY_MS = 600_000
/** Of MQTT 3.1.1: bad user name or password, not authorised. */
const REFUSALS = [4, 5]

/** MQTT 3.1.1, a clean session each time: whatever is older than the connection must not move a valve. */
export class MqttLink implements Link {
  readonly #parts: LinkParts
  #client: MqttClient | undefined
  #retryMs = FASTEST_RETRY_MS
  #subscribed = false
  #refused = false
  #url: string
  #extra: Pick<IClientOptions, 'will'> = {}

  constructor(parts: LinkParts) {
    this.#parts = parts
    this.#url = parts.url
  }

  get connected(): boolean {
    return this.#subscribed && this.#client?.connected === true
  }

  get refused(): boolean {
    return this.#refused
  }

  start(extra: Pick<IClientOptions, 'will'> = {}): void {
    this.#extra = extra
    const { options, onMessage } = this.#parts
    const client = connect({
      ...brokerAddress(this.#url),
      protocolVersion: 4,
      clean: true,
      keepalive: 30,
      connectTimeout: 10_000,
      reconnectPeriod: FASTEST_RETRY_MS,
      // A broker that refuses us now may know us later: its password file may not be loaded yet.
      reconnectOnConnackError: true,
      resubscribe: false,
      queueQoSZero: false,
      // Else an object for each number that a packet could have: 7 MB.
      writeCache: false,
      ...options,
      ...extra,
    })
    this.#client = client
    client.on('connect', () => this.#subscribe(client))
    client.on('message', (topic, payload, packet) => onMessage(topic, payload, packet.retain))
    client.on('error', (error) => {
      if ('code' in error && REFUSALS.includes(Number(error.code))) this.#refused = true
      this.#complain(error.message)
    })
    client.on('close', () => {
      if (client === this.#client) this.#retryLater(client)
    })
  }

  /** From now on to another broker. */
  moveTo(url: string): void {
    const { log, name, onDown } = this.#parts
    log(`${name} is at ${withoutSecrets(url)} from now on`)
    const former = this.#client
    this.#url = url
    this.#subscribed = false
    this.#refused = false
    this.#retryMs = FASTEST_RETRY_MS
    this.start(this.#extra)
    former?.end(true)
    onDown?.()
  }

  publish(topic: string, payload: string, how: { qos: 0 | 1; retain: boolean }): boolean {
    if (!this.connected) return false
    this.#client?.publish(topic, payload, how)
    return true
  }

  async stop(): Promise<void> {
    const client = this.#client
    if (!client) return
    // A goodbye waits for every answer it is owed, also when the connection is gone, and a second call to end changes
    // nothing about that.
    const isOver = new AbortController()
    const closed = new Promise<void>((resolve) => client.once('close', () => resolve()))
    const tooLong = sleep(GOODBYE_MS, undefined, isOver).catch(() => undefined)
    await Promise.race([client.endAsync(!this.connected), closed, tooLong])
    isOver.abort()
    client.stream.destroy()
  }

  #subscribe(client: MqttClient): void {
    const { log, name, subscriptions } = this.#parts
    const wanted = Object.fromEntries(subscriptions().map((topic) => [topic, { qos: 1 as const }]))
    // MQTT knows no subscription to nothing, as for an actuator that reports nothing.
    if (Object.keys(wanted).length === 0) {
      this.#up()
      return
    }
    client.subscribe(wanted, (error, granted) => {
      if (error) return this.#complain(`subscribing failed: ${error.message}`)
      const refused = granted?.filter((grant) => grant.qos > 2) ?? []
      if (refused.length > 0) log(`${name} refused ${refused.map((grant) => grant.topic).join(', ')}`)
      this.#up()
    })
  }

  #up(): void {
    const { log, name, onUp } = this.#parts
    log(`${name} is connected`)
    this.#retryMs = FASTEST_RETRY_MS
    this.#subscribed = true
    this.#refused = false
    onUp()
  }

  #complain(why: string): void {
    const { log, name } = this.#parts
    log(`${name} (${withoutSecrets(this.#url)}): ${why || 'no connection'}`)
  }

  /** Ever later, and never all gateways at once, when a broker comes back after a long absence. */
  #retryLater(client: MqttClient): void {
    const isTakenOver = this.#subscribed && this.#parts.isPatient?.() === true
    if (this.#subscribed && !client.disconnecting) this.#parts.log(`${this.#parts.name} is gone; trying again`)
    this.#subscribed = false
    this.#parts.onDown?.()
    this.#retryMs = isTakenOver ? PATIENT_RETRY_MS : Math.min(this.#parts.slowestRetryMs, this.#retryMs * 2)
    client.options.reconnectPeriod = Math.round(this.#retryMs * (0.5 + Math.random() / 2))
  }
}

function withoutSecrets(url: string): string {
  const parsed = URL.parse(url)
  return parsed ? `${parsed.protocol}//${parsed.host}` : url
}

/** What mqtt.js wants to know about who we are. */
export function access({
  username,
  password,
  ca,
}: {
  username: string | null
  password: string | null
  ca: string | null
}) {
  return { ...(username !== null && { username }), ...(password !== null && { password }), ...(ca !== null && { ca }) }
}
