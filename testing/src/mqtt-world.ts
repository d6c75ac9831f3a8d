import { TOPIC_ROOT } from '@hypocaust/domain'
import type { IClientOptions } from 'mqtt'
import type { Logger } from 'pino'
import { createLogger } from '../../service/src/base/logger.ts'
import { createMetrics, type Metrics } from '../../service/src/base/metrics.ts'
import { type BrokerChoice, type RunningMqtt, startMqtt } from '../../service/src/doors/mqtt/run.ts'
import { rotateToken } from '../../service/src/house/gateways/gateways.ts'
import { runUnshared } from '../../service/src/processes/exclusive.ts'
import type { Engine } from './database.ts'
import { eventually } from './eventually.ts'
import { Party } from './party.ts'
import { TestGateway } from './test-gateway.ts'
import { openWorld, type World } from './world.ts'

export const EMBEDDED = {
  kind: 'embedded',
  options: { host: '127.0.0.1', port: 0, connections: { most: 100, mostPerAddress: 0 } },
} satisfies BrokerChoice

interface Observed {
  metrics: Metrics
  logger: Logger
  /** Lines as logged. */
  log: string[]
  /** Buildings whose control was notified of readings. */
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
    const token = await rotateToken(this.store, this.clock, id)
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

  /** A heartbeat that has been taken in. */
  async beat(from: TestGateway, heartbeat: object = {}): Promise<void> {
    const taken = () => this.metric('hypocaust_gateway_messages_total', { topic: 'heartbeat' })
    const before = await taken()
    from.say('heartbeat', { boot: from.boot, ...heartbeat })
    await eventually(async () => (await taken()) > before)
  }

  /** All stored readings of a sensor, oldest first. */
  history(sensorId: string) {
    return this.store.db
      .selectFrom('readings')
      .selectAll()
      .where('sensorId', 'in', (eb) => eb.selectFrom('sensors').select('id').where('address', '=', sensorId))
      .orderBy('measuredAt')
      .execute()
  }

  async metric(name: string, labels: Record<string, string> = {}): Promise<number> {
    for (const refresh of this.metrics.beforeRead) refresh()
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

export async function openMqttWorld({
  engine = 'sqlite',
  broker = EMBEDDED,
  mostSensors,
}: {
  engine?: Engine
  broker?: BrokerChoice
  mostSensors?: number
} = {}): Promise<MqttWorld> {
  const running: { mqtt?: RunningMqtt } = {}
  const metrics = createMetrics()
  const world = await openWorld(engine, {
    metrics,
    onBuildingChanged: (buildingId) => void running.mqtt?.commander.update(buildingId),
  })
  const log: string[] = []
  const steered: string[] = []
  const logger = createLogger('info', { write: (line) => void log.push(line) })
  const { store, clock } = world
  const onReadings = (buildingIds: string[]) => void steered.push(...buildingIds)
  const mqtt = await startMqtt({
    store,
    clock,
    metrics,
    logger,
    broker,
    alone: runUnshared,
    onReadings,
    // Most tests send one message and wait until it is written.
    intake: { gatherMs: 10, ...(mostSensors !== undefined && { mostSensors }) },
  })
  running.mqtt = mqtt
  return new MqttWorld(world, mqtt, broker, { metrics, logger, log, steered })
}
