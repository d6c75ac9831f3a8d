import { downTopic } from '@hypocaust/domain'
import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import { buildingsDue, makeDue, nextCommand } from '../gateways/commands.ts'
import { currentConfig } from '../gateways/config.ts'
import { type GatewayValves, gatewayValvesOf } from '../gateways/valves.ts'
import { KeyedQueue } from '../keyed-queue.ts'
import type { Metrics } from '../metrics.ts'
import type { Store } from '../store/store.ts'
import type { MqttLink } from './link.ts'

export interface CommanderParts {
  store: Store
  clock: Clock
  link: MqttLink
  metrics: Metrics
  logger: Logger
}

/** Tells gateways what their valves are to do, and what to fall back on. */
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

  /** A gateway that has just come up hears its command at once. */
  async greet(buildingId: string): Promise<void> {
    try {
      await makeDue(this.#parts.store, { buildingId })
    } catch (err) {
      this.#parts.logger.error({ err, building: buildingId }, 'command not repeated; the next window brings it')
    }
    await this.update(buildingId)
  }

  async repeatDue(): Promise<void> {
    for (const buildingId of await buildingsDue(this.#parts.store, this.#parts.clock)) await this.update(buildingId)
  }

  /**
   * At start, and when the broker has come back: it may have forgotten what it retained, and what changed meanwhile
   * has not been said.
   */
  async takeUp(): Promise<void> {
    const buildings = await this.#parts.store.db.selectFrom('gateways').select('buildingId').distinct().execute()
    for (const { buildingId } of buildings) {
      for (const gateway of await gatewayValvesOf(this.#parts.store, buildingId))
        await this.#publishConfig(gateway, 'always')
      await this.update(buildingId)
    }
  }

  stop(): Promise<void> {
    return this.#queue.idle()
  }

  async #pass(buildingId: string): Promise<void> {
    const { store, clock, link, metrics, logger } = this.#parts
    if (!link.isUp) return
    try {
      for (const gateway of await gatewayValvesOf(store, buildingId)) {
        await this.#publishConfig(gateway, 'if new')
        const command = await nextCommand(store, clock, gateway)
        if (!command) continue
        const topic = downTopic(gateway.gatewayId, 'power')
        if (await link.publish(topic, JSON.stringify(command), { qos: 1, retain: false })) metrics.commands.inc()
        else await makeDue(store, { gatewayId: gateway.gatewayId })
      }
    } catch (err) {
      logger.error({ err, building: buildingId }, 'valves not commanded; the next pass tries again')
    }
  }

  async #publishConfig(gateway: GatewayValves, when: 'always' | 'if new'): Promise<void> {
    const published = await currentConfig(this.#parts.store, gateway)
    if (!published || (when === 'if new' && !published.isNew)) return
    const topic = downTopic(gateway.gatewayId, 'config')
    await this.#parts.link.publish(topic, JSON.stringify(published.config), { qos: 1, retain: true })
  }
}
