import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { TOPIC_ROOT } from '@hypocaust/domain'
import mqtt, { type MqttClient } from 'mqtt'
import type { Logger } from 'pino'
import type { MqttLink, MqttMessage, PublishOptions } from './link.ts'

/** Shared among all processes of the service: each message reaches one of them. */
const SHARED_UP_FILTER = `$share/hypocaust/${TOPIC_ROOT}/+/up/#`

const DRAIN_LIMIT_MS = 3000

/** A broker outside: Mosquitto, or a cluster. It may go away and come back at any time. */
export class ExternalBroker implements MqttLink {
  readonly #url: string
  readonly #logger: Logger
  #client: MqttClient | undefined
  #onLast: { topic: string; resolve(): void } | undefined

  constructor(url: string, logger: Logger) {
    this.#url = url
    this.#logger = logger
  }

  get isUp(): boolean {
    return this.#client?.connected === true
  }

  async start({ onMessage, onConnect }: Parameters<MqttLink['start']>[0]): Promise<void> {
    // A clean session: a shared subscriber that is away must not keep swallowing its share.
    const client = mqtt.connect(this.#url, {
      clean: true,
      protocolVersion: 4,
      reconnectPeriod: 1000,
      resubscribe: false,
    })
    this.#client = client
    client.handleMessage = (packet, done) => {
      if (packet.topic === this.#onLast?.topic) {
        this.#onLast.resolve()
        return done()
      }
      const message: MqttMessage = { topic: packet.topic, payload: Buffer.from(packet.payload) }
      onMessage(message).then(
        () => done(),
        () => done(),
      )
    }
    client.on('connect', () => {
      if (this.#onLast) return
      client.subscribe(SHARED_UP_FILTER, { qos: 1 }, (error) => {
        if (error) this.#logger.error({ err: error }, 'cannot subscribe at the MQTT broker')
        else onConnect()
      })
    })
    client.on('close', () => forgetUnanswered(client))
    client.on('error', (error) => this.#logger.warn({ err: error }, 'MQTT broker'))
    client.on('offline', () => this.#logger.warn('the MQTT broker is away; trying again'))
  }

  async publish(topic: string, payload: string, options: PublishOptions): Promise<boolean> {
    if (!this.#client || !this.isUp) return false
    try {
      await this.#client.publishAsync(topic, payload, options)
      return true
    } catch {
      return false
    }
  }

  /** A message to ourselves comes after all that the broker had queued for us: a share that nobody else would get. */
  async stopHearing(): Promise<void> {
    const client = this.#client
    if (!client || !this.isUp) return
    const topic = `${TOPIC_ROOT}/last/${randomUUID()}`
    const heardLast = new Promise<void>((resolve) => {
      this.#onLast = { topic, resolve }
    })
    const drain = async () => {
      await client.unsubscribeAsync(SHARED_UP_FILTER)
      await client.subscribeAsync(topic, { qos: 1 })
      await client.publishAsync(topic, '', { qos: 1 })
      await heardLast
    }
    const tooLong = setTimeout(DRAIN_LIMIT_MS, undefined, { ref: false })
    await Promise.race([drain(), tooLong]).catch(() => undefined)
  }

  async stop(): Promise<void> {
    await this.#client?.endAsync(true)
  }
}

/** Else whoever waits for an answer waits until the broker is back, and old words come after new ones. */
export function forgetUnanswered(client: MqttClient): void {
  for (const messageId of Object.keys(client.outgoing)) client.removeOutgoingMessage(Number(messageId))
}
