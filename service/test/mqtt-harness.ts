import { randomBytes } from 'node:crypto'
import { DOWN, downTopic, parsePayload, TOPIC_ROOT, type UP, upTopic } from '@hypocaust/domain'
import type { IClientOptions } from 'mqtt'
import type { Logger } from 'pino'
import type { Static } from 'typebox'
import { Party } from '../../gateway/test/party.ts'
import { createLogger } from '../src/base/logger.ts'
import { createMetrics, type Metrics } from '../src/base/metrics.ts'
import { type BrokerChoice, type RunningMqtt, startMqtt } from '../src/doors/mqtt/run.ts'
import { rotateToken } from '../src/house/gateways/gateways.ts'
import { undisturbed } from '../src/processes/alone.ts'
import { openWorld, type World } from './harness.ts'

type DownName = keyof typeof DOWN
type Said<Name extends DownName> = Static<(typeof DOWN)[Name]>

export const EMBEDDED = {
  kind: 'embedded',
  options: { host: '127.0.0.1', port: 0, maxConnections: 100 },
} satisfies BrokerChoice

/** A gateway as anybody with its id and token could build it: it says what the test wants, and hears its topics. */
export class TestGateway {
  readonly id: string
  readonly party: Party
  readonly boot = randomBytes(4).toString('hex')
  #n = 0

  constructor(id: string, party: Party) {
    this.id = id
    this.party = party
  }

  say(name: keyof typeof UP, message: object | string, retain = false): void {
    this.party.say(upTopic(this.id, name), message, retain)
  }

  /** Resolves when the broker has taken it. */
  async sayRaw(topic: string, payload: string | Buffer, options: { qos?: 0 | 1; retain?: boolean } = {}) {
    await this.party.client.publishAsync(topic, payload, { qos: 1, ...options })
  }

  /** The number of the message, by which its commit is known. */
  sendReadings(readings: unknown[], { backfill = false, n = ++this.#n, boot = this.boot } = {}): number {
    this.say('readings', { boot, n, backfill, readings })
    return n
  }

  /** Sends and waits until the service says that it has them. */
  async deliver(readings: unknown[], options: { backfill?: boolean; n?: number; boot?: string } = {}): Promise<void> {
    const n = this.sendReadings(readings, options)
    await this.commit(n, options.boot)
  }

  async commit(n: number, boot = this.boot): Promise<void> {
    await this.hear('commit', (commit) => commit.boot === boot && commit.n === n)
  }

  heard<Name extends DownName>(name: Name): Said<Name>[] {
    return this.party.heard
      .filter(({ topic }) => topic === downTopic(this.id, name))
      .map(({ text }) => said(name, text))
  }

  hear<Name extends DownName>(name: Name, accept: (message: Said<Name>) => boolean = () => true): Promise<Said<Name>> {
    return this.party.until((heard) =>
      heard
        .filter(({ topic }) => topic === downTopic(this.id, name))
        .map(({ text }) => said(name, text))
        .find(accept),
    )
  }

  forget(): void {
    this.party.heard.length = 0
  }

  leave(): Promise<void> {
    return this.party.leave()
  }
}

function said<Name extends DownName>(name: Name, text: string): Said<Name> {
  const parsed = parsePayload(DOWN[name], Buffer.from(text))
  if (!parsed.ok) throw new Error(`the service said on ${name}: ${text}`)
  return parsed.value as Said<Name>
}

interface Observed {
  metrics: Metrics
  logger: Logger
  /** Lines as logged. */
  log: string[]
  /** Buildings whose control was told of readings. */
  steered: string[]
}

/** The application and the gateways' side of it, on one store and one clock. */
export class MqttWorld {
  readonly world: World
  readonly mqtt: RunningMqtt
  readonly metrics: Metrics
  readonly logger: Logger
  readonly log: string[]
  readonly steered: string[]
  readonly #joined: TestGateway[] = []
  readonly #broker: BrokerChoice

  constructor(world: World, mqtt: RunningMqtt, broker: BrokerChoice, { metrics, logger, log, steered }: Observed) {
    this.world = world
    this.mqtt = mqtt
    this.#broker = broker
    this.metrics = metrics
    this.logger = logger
    this.log = log
    this.steered = steered
  }

  get store() {
    return this.world.store
  }

  get clock() {
    return this.world.clock
  }

  get cellarId(): string {
    return this.world.holder.gatewayIds[0] as string
  }

  get atticId(): string {
    return this.world.holder.gatewayIds[1] as string
  }

  get url(): string {
    if (this.#broker.kind === 'external') return this.#broker.url
    return `${this.mqtt.address.tls ? 'mqtts' : 'mqtt'}://127.0.0.1:${this.mqtt.address.port}`
  }

  /** A new token for the gateway, and a connection with it. */
  async gateway(id = this.cellarId, options: IClientOptions = {}): Promise<TestGateway> {
    const token = await this.token(id)
    return this.join(id, { username: id, password: token, ...options })
  }

  async token(id = this.cellarId): Promise<string> {
    const token = await rotateToken(this.store, id)
    if (token === undefined) throw new Error(`no gateway ${id}`)
    return token
  }

  async join(id: string, options: IClientOptions): Promise<TestGateway> {
    const party = await Party.join(this.url, { clientId: id, reconnectPeriod: 0, ...options }, [
      `${TOPIC_ROOT}/${id}/down/#`,
    ])
    const gateway = new TestGateway(id, party)
    this.#joined.push(gateway)
    return gateway
  }

  /** All stored readings of a sensor, oldest first. */
  history(sensorId: string) {
    return this.store.db
      .selectFrom('readings')
      .selectAll()
      .where('sensorId', '=', sensorId)
      .orderBy('measuredAt')
      .execute()
  }

  async metric(name: string, labels: Record<string, string> = {}): Promise<number> {
    const metric = await this.metrics.registry.getSingleMetric(name)?.get()
    const matching = metric?.values.filter((value) =>
      Object.entries(labels).every(([label, wanted]) => value.labels[label] === wanted),
    )
    return matching?.reduce((sum, { value }) => sum + value, 0) ?? 0
  }

  async leaveAll(): Promise<void> {
    await Promise.all(this.#joined.splice(0).map((gateway) => gateway.leave()))
  }

  async close(): Promise<void> {
    await this.leaveAll()
    await this.mqtt.stop()
    await this.world.close()
  }
}

export async function openMqttWorld({ broker = EMBEDDED }: { broker?: BrokerChoice } = {}): Promise<MqttWorld> {
  const running: { mqtt?: RunningMqtt } = {}
  const metrics = createMetrics()
  const world = await openWorld('sqlite', {
    metrics,
    onBuildingChanged: (buildingId) => void running.mqtt?.commander.update(buildingId),
  })
  const log: string[] = []
  const steered: string[] = []
  const logger = createLogger('info', { write: (line) => void log.push(line) })
  const { store, clock } = world
  const onReadings = (buildingIds: string[]) => void steered.push(...buildingIds)
  const mqtt = await startMqtt({ store, clock, metrics, logger, broker, alone: undisturbed, onReadings })
  running.mqtt = mqtt
  return new MqttWorld(world, mqtt, broker, { metrics, logger, log, steered })
}

export const reading = (id: string, temperature: number, at: number | string, rest: object = {}) => ({
  id,
  temperature,
  timestamp: typeof at === 'string' ? at : new Date(at).toISOString(),
  ...rest,
})

/** Asks again and again until it holds; the test's own time-out ends the wait. */
export async function eventually<T>(find: () => Promise<T | undefined | false> | T | undefined | false): Promise<T> {
  for (;;) {
    const found = await find()
    if (found !== undefined && found !== false) return found
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
