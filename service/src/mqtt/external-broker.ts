import { TOPIC_ROOT } from '@hypocaust/domain'
import mqtt, { type MqttClient } from 'mqtt'
import type { Logger } from 'pino'
import type { MqttLink, MqttMessage, PublishOptions } from './link.ts'

/** Shared among all processes of the service: each message reaches one of them. */
const SHARED_UP_FILTER = `$share/hypocaust/${TOPIC_ROOT}/+/up/#`

/** A broker outside: Mosquitto, or a cluster. It may go away and come back at any time. */
export class ExternalBroker implements MqttLink {
  readonly #url: string
  readonly #logger: Logger
  #client: MqttClient | undefined

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
      const message: MqttMessage = { topic: packet.topic, payload: Buffer.from(packet.payload) }
      onMessage(message).then(
        () => done(),
        () => done(),
      )
    }
    client.on('connect', () => {
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

  async stop(): Promise<void> {
    await this.#client?.endAsync(true)
  }
}

/** Else whoever waits for an answer waits until the broker is back, and old words come after new ones. */
export function forgetUnanswered(client: MqttClient): void {
  for (const messageId of Object.keys(client.outgoing)) client.removeOutgoingMessage(Number(messageId))
}
