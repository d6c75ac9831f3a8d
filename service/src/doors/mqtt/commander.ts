import { downTopic, type GatewayConfig } from '@hypocaust/domain'
import type { Compilable } from 'kysely'
import type { Logger } from 'pino'
import type { Clock } from '../../base/clock.ts'
import type { Metrics } from '../../base/metrics.ts'
import { traceparentOf } from '../../base/tracing/span.ts'
import type { Tracer } from '../../base/tracing/tracer.ts'
import {
  buildingsDue,
  type CommandsAlong,
  dueNow,
  isDue,
  nextCommand,
  numberedCommand,
  type Order,
} from '../../house/gateways/commands.ts'
import { currentConfig, nextConfig, storedConfig } from '../../house/gateways/config.ts'
import { commandedValves, type GatewayValves, gatewayValvesOf } from '../../house/gateways/valves.ts'
import { atMost } from '../../processes/at-most.ts'
import { KeyedQueue } from '../../processes/keyed-queue.ts'
import { isStoreError, type Store } from '../../store/store.ts'
import { commandSpan } from './command-traces.ts'
import type { MqttLink } from './link.ts'

interface CommanderParts {
  store: Store
  clock: Clock
  link: MqttLink
  metrics: Metrics
  tracer: Tracer
  logger: Logger
  /** False for a building whose commands another process sends, unless they stay due for long. */
  isOwn?(buildingId: string): boolean
}

/** Whether a gateway now has what it should, or has to be looked at again. */
type Outcome = 'current' | 'outrun'

/** Something to be published once its number is on disk. */
interface Numbered {
  numbering: Compilable
  publish(): Promise<void>
}

const LOOKS = 5
const STOP_LIMIT_MS = 1000

/**
 * Tells gateways what their valves are to do, and what to fall back on. Any number of processes may do so for the same
 * gateway: the numbers of commands and configurations come from the database, and a process that was outrun reads again.
 */
export class Commander {
  readonly #parts: CommanderParts
  readonly #queue = new KeyedQueue()

  constructor(parts: CommanderParts) {
    this.#parts = parts
  }

  /** One pass per building at a time; a change during a pass leads to another one after it. */
  update(buildingId: string): Promise<void> {
    return this.#queue.request(buildingId, () => this.#pass(buildingId))
  }

  /** The commands for powers that are about to be written, so that their numbers need no transaction of their own. */
  along(buildingId: string, gateways: GatewayValves[]): CommandsAlong | undefined {
    if (!this.#parts.link.isUp) return undefined
    const numbered = gateways.flatMap((gateway) => this.#numbered(gateway))
    return {
      numberings: numbered.map(({ numbering }) => numbering),
      send: () => void this.#queue.run(buildingId, () => this.#publish(buildingId, numbered)),
    }
  }

  /** A gateway that has just come up hears its command at once. */
  async greet(buildingId: string): Promise<void> {
    try {
      await this.#parts.store.batch([dueNow(this.#parts.store, { buildingId })])
    } catch (err) {
      this.#parts.logger.error({ err, building: buildingId }, 'command not repeated; the next window brings it')
    }
    await this.update(buildingId)
  }

  /** Also what another process was to send, and did not. */
  async repeatDue(stopping?: AbortSignal): Promise<void> {
    const { store, clock, link, isOwn } = this.#parts
    if (!link.isUp) return
    for (const buildingId of await buildingsDue(store, clock, isOwn)) {
      if (stopping?.aborted) return
      await this.update(buildingId)
    }
  }

  /**
   * At start, and when the broker has come back: it may have forgotten what it retained, and what changed meanwhile
   * has not been said.
   */
  async takeUp(stopping?: AbortSignal): Promise<void> {
    const buildings = await this.#parts.store.db.selectFrom('gateways').select('buildingId').distinct().execute()
    for (const { buildingId } of buildings) {
      if (!this.#parts.link.isUp || stopping?.aborted) return
      await this.#queue.run(buildingId, () => this.#publishConfigs(buildingId))
      await this.update(buildingId)
    }
  }

  /** Until everything that was asked for is done. */
  settled(): Promise<void> {
    return this.#queue.idle()
  }

  /** What is not sent stays due in the database, for another process. */
  stop(): Promise<void> {
    return atMost(STOP_LIMIT_MS, this.#queue.stop())
  }

  async #pass(buildingId: string): Promise<void> {
    const { store, link, logger } = this.#parts
    if (!link.isUp) return
    try {
      for (let look = 1; look <= LOOKS; look++) {
        let outcome: Outcome = 'current'
        for (const gateway of await gatewayValvesOf(store, buildingId))
          if ((await this.#bringUpToDate(gateway)) === 'outrun') outcome = 'outrun'
        if (outcome === 'current') return
      }
      await store.batch([dueNow(store, { buildingId })])
    } catch (err) {
      // The database that the building moves to commands it from then on.
      if (isStoreError(err, 'moving')) return
      logger.error({ err, building: buildingId }, 'valves not commanded; the next pass tries again')
    }
  }

  #numbered(gateway: GatewayValves): Numbered[] {
    const { store, clock } = this.#parts
    const { gatewayId } = gateway
    const nowMs = clock.now()
    const next = nextConfig(store, gateway)
    const { numbering, order } = numberedCommand(store, gateway, commandedValves(gateway, nowMs), nowMs)
    const retain = () => this.#retain(gatewayId, next.config)
    const send = async () => {
      if (next.kind === 'known' && isUnconfirmed(gateway)) await retain()
      if (order) await this.#send(gatewayId, order)
    }
    const command = { numbering, publish: send }
    return next.kind === 'new' ? [{ numbering: next.numbering, publish: retain }, command] : [command]
  }

  async #publish(buildingId: string, numbered: Numbered[]): Promise<void> {
    try {
      for (const { publish } of numbered) await publish()
    } catch (err) {
      this.#parts.logger.error({ err, building: buildingId }, 'valves not commanded; the next pass tries again')
    }
  }

  async #bringUpToDate(gateway: GatewayValves): Promise<Outcome> {
    const { store, clock } = this.#parts
    const isUnheard = isUnconfirmed(gateway) && isDue(gateway.sent, clock.now())
    if ((await this.#publishConfig(gateway, isUnheard ? 'always' : 'if new')) === 'outrun') return 'outrun'
    const next = await nextCommand(store, clock, gateway)
    if (next.kind === 'outrun') return 'outrun'
    if (next.kind === 'due') await this.#send(gateway.gatewayId, next)
    return 'current'
  }

  async #send(gatewayId: string, { command, source }: Order): Promise<void> {
    const { store, link, metrics, tracer } = this.#parts
    const span = commandSpan(tracer, gatewayId, command)
    const payload = JSON.stringify({ ...command, ...(span && { traceparent: traceparentOf(span) }) })
    const isSent = await link.publish(downTopic(gatewayId, 'power'), payload, { qos: 1, retain: false })
    span?.end()
    if (isSent) metrics.commands.inc()
    else await store.batch([dueNow(store, { gatewayId })])
    if (source) await link.publish(downTopic(gatewayId, 'source'), JSON.stringify(source), { qos: 1, retain: false })
  }

  async #publishConfigs(buildingId: string): Promise<void> {
    for (const gateway of await gatewayValvesOf(this.#parts.store, buildingId))
      await this.#publishConfig(gateway, 'always')
  }

  async #publishConfig(gateway: GatewayValves, when: 'always' | 'if new'): Promise<Outcome> {
    const current = await currentConfig(this.#parts.store, gateway)
    if (current.kind === 'outrun') return 'outrun'
    if (current.kind === 'new' || when === 'always') await this.#retain(gateway.gatewayId, current.config)
    return 'current'
  }

  /**
   * Another process may have sent a newer one before ours, which is then the one retained: so look, and send the newer
   * again. This process sends those of a building one after the other.
   */
  async #retain(gatewayId: string, config: GatewayConfig): Promise<void> {
    const { store, link } = this.#parts
    const topic = downTopic(gatewayId, 'config')
    for (let sent = config; await link.publish(topic, JSON.stringify(sent), { qos: 1, retain: true }); ) {
      if (!store.isShared) return
      const newest = await storedConfig(store, gatewayId)
      if (!newest || newest.revision === sent.revision) return
      sent = newest
    }
  }
}

/** The process that numbered a configuration may have ended before sending it: until confirmed, it goes with the command. */
const isUnconfirmed = ({ sent }: GatewayValves): boolean => sent.confirmedRevision !== sent.configRevision
