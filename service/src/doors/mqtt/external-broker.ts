import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { TOPIC_ROOT } from '@hypocaust/domain'
import type { MqttClient } from 'mqtt'
import type { Logger } from 'pino'
import { connectLasting } from './lasting-client.ts'
import type { MqttLink, MqttMessage, PublishOptions } from './link.ts'

const DRAIN_LIMIT_MS = 3000

/** A broker outside: Mosquitto, or a cluster. It may go away and come back at any time. */
export class ExternalBroker implements MqttLink {
  readonly #url: string
  readonly #logger: Logger
  /** Shared among all processes of the service: each message reaches one of them. */
  readonly #sharedUpFilter: string
  #client: MqttClient | undefined
  #isSubscribed = false
  #onLast: { topic: string; resolve(): void } | undefined

  /** `group` is a secret of the installation: a gateway that knew it could subscribe to a share of the messages. */
  constructor(url: string, group: string, logger: Logger) {
    this.#url = url
    this.#sharedUpFilter = `$share/${group}/${TOPIC_ROOT}/+/up/#`
    this.#logger = logger
  }

  get isUp(): boolean {
    return this.#isSubscribed && this.#client?.connected === true
  }

  async start({ onMessage, onConnect }: Parameters<MqttLink['start']>[0]): Promise<void> {
    // A clean session: a shared subscriber that is away must not keep swallowing its share.
    const client = connectLasting(this.#url, 'the MQTT broker', this.#logger, { clean: true })
    this.#client = client
    client.handleMessage = (packet, done) => {
      if (packet.topic === this.#onLast?.topic) {
        this.#onLast.resolve()
        return done()
      }
      const message: MqttMessage = { topic: packet.topic, payload: Buffer.from(packet.payload) }
      Promise.resolve(onMessage(message)).then(
        () => done(),
        () => done(),
      )
    }
    client.on('close', () => {
      this.#isSubscribed = false
    })
    client.on('connect', () => {
      if (this.#onLast) return
      client.subscribe(this.#sharedUpFilter, { qos: 1 }, (error) => {
        if (error) {
          this.#logger.error({ err: error }, 'cannot subscribe at the MQTT broker; connecting again')
          client.stream.destroy()
          return
        }
        this.#isSubscribed = true
        onConnect()
      })
    })
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
  async stopReceiving(): Promise<void> {
    const client = this.#client
    if (!client || !this.isUp) return
    const topic = `${TOPIC_ROOT}/last/${randomUUID()}`
    const heardLast = new Promise<void>((resolve) => {
      this.#onLast = { topic, resolve }
    })
    const drain = async () => {
      await client.unsubscribeAsync(this.#sharedUpFilter)
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
