import { TOPIC_ROOT } from '@hypocaust/domain'
import type { BrokerStream } from './broker-stream.ts'
import { publishOf } from './packets.ts'

/** The broker counts its own from a random one. Two alike do no harm: nothing is sent again, and QoS 1 is not sifted. */
const FIRST_MESSAGE_ID = 0x8000
const LAST_MESSAGE_ID = 0xffff

interface Subscriber {
  stream: BrokerStream
  filters: Map<string, 0 | 1>
  lastMessageId: number
}

/**
 * Which connections of a gateway have subscribed to which of its topics. A message to them goes out without the broker,
 * which looks for subscribers among all topics.
 */
export class Subscribers {
  readonly #byGateway = new Map<string, Subscriber[]>()

  add(gatewayId: string, stream: BrokerStream, filter: string, qos: number): void {
    const subscribers = this.#byGateway.get(gatewayId) ?? []
    this.#byGateway.set(gatewayId, subscribers)
    let subscriber = subscribers.find((each) => each.stream === stream)
    if (!subscriber) {
      subscriber = { stream, filters: new Map(), lastMessageId: LAST_MESSAGE_ID }
      subscribers.push(subscriber)
    }
    subscriber.filters.set(filter, qos === 0 ? 0 : 1)
  }

  remove(gatewayId: string, stream: BrokerStream, filters: string[]): void {
    const subscriber = this.#byGateway.get(gatewayId)?.find((each) => each.stream === stream)
    for (const filter of filters) subscriber?.filters.delete(filter)
  }

  removeAll(gatewayId: string, stream: BrokerStream): void {
    const left = this.#byGateway.get(gatewayId)?.filter((each) => each.stream !== stream) ?? []
    if (left.length > 0) this.#byGateway.set(gatewayId, left)
    else this.#byGateway.delete(gatewayId)
  }

  /** False where one has subscribed by a pattern: patterns are matched by the broker alone. */
  send(topic: string, payload: string, qos: 0 | 1): boolean {
    const subscribers = this.#byGateway.get(gatewayOf(topic)) ?? []
    if (subscribers.some(({ filters }) => filters.keys().some(isPattern))) return false
    for (const subscriber of subscribers) {
      const granted = subscriber.filters.get(topic)
      if (granted === undefined) continue
      subscriber.stream.send(publishOf(topic, payload, qos === 1 && granted === 1 ? nextId(subscriber) : undefined))
    }
    return true
  }
}

export const gatewayOf = (topic: string): string =>
  topic.slice(TOPIC_ROOT.length + 1, topic.indexOf('/', TOPIC_ROOT.length + 1))

const isPattern = (filter: string): boolean => filter.includes('#') || filter.includes('+')

function nextId(subscriber: Subscriber): number {
  subscriber.lastMessageId =
    subscriber.lastMessageId === LAST_MESSAGE_ID ? FIRST_MESSAGE_ID : subscriber.lastMessageId + 1
  return subscriber.lastMessageId
}
