import { HeatRequest, matches, type SourceCommand } from '@hypocaust/domain'
import { parseJson } from './json.ts'

/** A gateway that shares the heat source repeats its request this often; one that has fallen silent asks for nothing. */
export const REQUEST_EVERY_MS = 30_000
const REQUEST_COUNTS_MS = 300_000

/** Where a gateway asks the one that works the relay of the heat source. */
export const requestTopic = (ownerId: string, gatewayId: string): string =>
  `hypocaust-${ownerId}/heat-request/${gatewayId}`

/** What the other gateways of the building ask of the heat source: on the device broker, and through the service. */
export class HeatRequests {
  readonly #topic: string
  readonly #requests = new Map<string, HeatRequest & { untilMs: number }>()

  constructor(gatewayId: string) {
    this.#topic = requestTopic(gatewayId, '')
  }

  get subscriptions(): string[] {
    return [`${this.#topic}+`]
  }

  receive(topic: string, payload: Uint8Array, retained: boolean, nowMs: number): void {
    const request = parseJson(payload)
    if (!topic.startsWith(this.#topic) || retained || !matches(HeatRequest, request)) return
    this.#requests.set(topic.slice(this.#topic.length), { ...request, untilMs: nowMs + REQUEST_COUNTS_MS })
  }

  /** What a gateway says itself on the device broker is newer. */
  command({ demand = [], valid_s }: SourceCommand, nowMs: number): void {
    for (const { gateway, loops, area_m2 } of demand) {
      const known = this.#requests.get(gateway)
      if (!known || known.untilMs <= nowMs)
        this.#requests.set(gateway, { loops, area_m2, untilMs: nowMs + valid_s * 1000 })
    }
  }

  sum(nowMs: number): HeatRequest {
    const requests = [...this.#requests.values()].filter(({ untilMs }) => nowMs < untilMs)
    return {
      loops: requests.reduce((sum, { loops }) => sum + loops, 0),
      area_m2: requests.reduce((sum, { area_m2 }) => sum + area_m2, 0),
    }
  }
}
