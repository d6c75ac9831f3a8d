import type { Logger } from 'pino'
import type { Clock } from '../../base/clock.ts'
import type { Metrics } from '../../base/metrics.ts'
import { NO_TRACES, type Tracer } from '../../base/tracing/tracer.ts'
import { announceMoves } from '../../house/gateways/moved.ts'
import type { RunExclusively } from '../../processes/exclusive.ts'
import { repeat } from '../../processes/repeat.ts'
import type { Store } from '../../store/store.ts'
import type { ServerTls } from '../tls/choose.ts'
import { Commander } from './commander.ts'
import { EmbeddedBroker, type EmbeddedBrokerOptions } from './embedded-broker.ts'
import { Ingest, type IngestParts } from './ingest.ts'
import type { MqttLink } from './link.ts'
import { publishMove } from './moves.ts'
import { shareGroupOf } from './share-group.ts'

export type BrokerChoice = { kind: 'embedded'; options: EmbeddedBrokerOptions } | { kind: 'external'; url: string }

interface MqttParts {
  store: Store
  clock: Clock
  metrics: Metrics
  /** Left out, nothing is traced. */
  tracer?: Tracer
  logger: Logger
  broker: BrokerChoice
  /** In place of a connection to that broker. */
  link?: MqttLink | undefined
  alone: RunExclusively
  intake?: Pick<IngestParts, 'mostSensors' | 'gatherMs'>
  /** The process is asked to end. */
  stopping?: AbortSignal
  /** Buildings whose live readings have just been committed. */
  onReadings: IngestParts['onReadings']
  /** False for a building that another process controls and commands. */
  isOwn?(buildingId: string): boolean
}

export interface RunningMqtt {
  /** Where gateways find the broker. */
  address: { port: number; tls: boolean }
  commander: Commander
  /** Whether messages of gateways arrive and commands go out. */
  readonly isUp: boolean
  /** Whether messages wait for the database in numbers. */
  readonly isBehind: boolean
  /** The embedded broker's from now on. */
  useCertificate(tls: ServerTls): void
  /** Nothing more is taken in; what has come is stored. */
  stopReceiving(): Promise<void>
  stop(): Promise<void>
}

const REPEAT_COMMANDS_EVERY_MS = 5000
const DROP_REVOKED_EVERY_MS = 1000
const TAKE_UP_AGAIN_EVERY_MS = 1000
const ANNOUNCE_MOVES_EVERY_MS = 1000

/** The gateways' side of the service: broker or connection to one, intake, commands. */
export async function startMqtt({
  store,
  clock,
  metrics,
  tracer = NO_TRACES,
  logger,
  broker,
  link: given,
  alone,
  intake,
  stopping,
  onReadings,
  isOwn = () => true,
}: MqttParts): Promise<RunningMqtt> {
  const countRefused = () => metrics.connectionsRefused.inc({ door: 'mqtt' })
  const embedded =
    broker.kind === 'embedded' && !given ? new EmbeddedBroker(store, broker.options, logger, countRefused) : undefined
  const link = given ?? embedded ?? (await externalBroker(broker.kind === 'external' ? broker.url : '', store, logger))
  const commander = new Commander({ store, clock, link, metrics, tracer, logger, isOwn })
  const ingest = new Ingest({
    store,
    clock,
    link,
    metrics,
    tracer,
    logger,
    onReadings,
    ...intake,
    onGatewayOnline: (buildingId) => void commander.greet(buildingId),
    onHeatRequest: (buildingId) => void commander.update(buildingId),
  })
  let isTakeUpDue = false
  const takeUp = async () => {
    if (!isTakeUpDue || stopping?.aborted) return
    isTakeUpDue = false
    try {
      await alone('take-up', () => commander.takeUp(stopping))
    } catch (error) {
      isTakeUpDue = true
      throw error
    }
  }
  const announce = async () => {
    if (link.isUp) await announceMoves(store, clock.now(), (gateway) => publishMove(link, gateway))
  }
  await link.start({
    onMessage: (message) => ingest.accept(message),
    onConnect: () => {
      isTakeUpDue = true
      takeUp().catch((err) => {
        if (!stopping?.aborted) logger.error({ err }, 'not all gateways received their state; retrying')
      })
    },
  })
  const recurring = [
    repeat(REPEAT_COMMANDS_EVERY_MS, () => commander.repeatDue(stopping), logger),
    repeat(TAKE_UP_AGAIN_EVERY_MS, takeUp, logger),
    repeat(ANNOUNCE_MOVES_EVERY_MS, announce, logger),
    ...(embedded ? [repeat(DROP_REVOKED_EVERY_MS, () => embedded.dropRevoked(), logger)] : []),
  ]
  const stopReceiving = async () => {
    await link.stopReceiving()
    await ingest.stop()
  }
  return {
    address: embedded ? { ...addressOf(broker), port: embedded.port } : addressOf(broker),
    commander,
    get isUp() {
      return link.isUp
    },
    get isBehind() {
      return ingest.isBehind
    },
    useCertificate: (tls) => embedded?.useCertificate(tls),
    stopReceiving,
    async stop() {
      await stopReceiving()
      await Promise.all(recurring.map((work) => work.stop()))
      await commander.stop()
      await link.stop()
    },
  }
}

/** The client's library is loaded only where it is used. */
async function externalBroker(url: string, store: Store, logger: Logger): Promise<MqttLink> {
  const { ExternalBroker } = await import('./external-broker.ts')
  return new ExternalBroker(url, await shareGroupOf(store), logger)
}

export function addressOf(broker: BrokerChoice): RunningMqtt['address'] {
  if (broker.kind === 'embedded') return { port: broker.options.port, tls: broker.options.tls !== undefined }
  const { protocol, port } = new URL(broker.url)
  const tls = protocol === 'mqtts:' || protocol === 'wss:'
  return { port: port === '' ? (tls ? 8883 : 1883) : Number(port), tls }
}
