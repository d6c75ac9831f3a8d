import { connectAsync, type IClientOptions, type MqttClient } from 'mqtt'

export interface Heard {
  topic: string
  text: string
  retained: boolean
}

/** A client on the broker that receives everything, publishes anything, and can wait for a message. */
export class Party {
  readonly client: MqttClient
  readonly heard: Heard[] = []
  readonly #waiting = new Set<() => void>()

  static async join(url: string, options: IClientOptions = {}, subscriptions = ['#']): Promise<Party> {
    const party = new Party(await connectAsync(url, { protocolVersion: 4, ...options }))
    await party.client.subscribeAsync(subscriptions, { qos: 1 })
    return party
  }

  private constructor(client: MqttClient) {
    this.client = client
    client.on('message', (topic, payload, { retain }) => {
      this.heard.push({ topic, text: payload.toString(), retained: retain })
      for (const look of this.#waiting) look()
    })
  }

  say(topic: string, message: object | string, retain = false): void {
    this.client.publish(topic, typeof message === 'string' ? message : JSON.stringify(message), { qos: 1, retain })
  }

  /** What is found in everything heard so far, now or as soon as it comes. The test's own time-out ends the wait. */
  until<T>(find: (heard: Heard[]) => T | undefined): Promise<T> {
    return new Promise((resolve) => {
      const look = () => {
        const found = find(this.heard)
        if (found === undefined) return
        this.#waiting.delete(look)
        resolve(found)
      }
      this.#waiting.add(look)
      look()
    })
  }

  /** The first message on a topic that passes. */
  on(topic: string, accept: (text: string) => boolean = () => true): Promise<Heard> {
    return this.until((heard) => heard.find((each) => each.topic === topic && accept(each.text)))
  }

  async leave(): Promise<void> {
    await this.client.endAsync(true)
  }
}
