import { HeatRequest, matches, type SourceCommand } from '@hypocaust/domain'
import { parseJson } from '../base/json.ts'
import type { Store } from '../base/store.ts'

/** A gateway that shares the heat source repeats its request this often; one that has fallen silent asks for nothing. */
export const REQUEST_EVERY_MS = 30_000
const REQUEST_COUNTS_MS = 300_000
/** After a restart every gateway has asked again by then. */
const KEPT_COUNTS_MS = 2 * REQUEST_EVERY_MS

type Kept = Record<string, HeatRequest>

/** Where a gateway asks the one that works the relay of the heat source. */
export const requestTopic = (ownerId: string, gatewayId: string): string =>
  `hypocaust-${ownerId}/heat-request/${gatewayId}`

/**
 * What the other gateways of the building ask of the heat source: on the device broker, and through the service. It is
 * kept on disk: after a restart what was last heard holds until they ask again.
 */
export class HeatRequests {
  readonly #topic: string
  readonly #store: Pick<Store, 'get' | 'put'>
  readonly #requests = new Map<string, HeatRequest & { untilMs: number }>()

  constructor(gatewayId: string, store: Pick<Store, 'get' | 'put'>) {
    this.#topic = requestTopic(gatewayId, '')
    this.#store = store
  }

  start(nowMs: number): void {
    for (const [gateway, request] of Object.entries(this.#store.get<Kept | null>('heat_requests') ?? {}))
      this.#requests.set(gateway, { ...request, untilMs: nowMs + KEPT_COUNTS_MS })
  }

  get subscriptions(): string[] {
    return [`${this.#topic}+`]
  }

  receive(topic: string, payload: Uint8Array, retained: boolean, nowMs: number): void {
    const request = parseJson(payload)
    if (!topic.startsWith(this.#topic) || retained || !matches(HeatRequest, request)) return
    this.#take(topic.slice(this.#topic.length), request, nowMs + REQUEST_COUNTS_MS)
  }

  /** What a gateway says itself on the device broker is newer. */
  command({ demand = [], valid_s }: SourceCommand, nowMs: number): void {
    for (const { gateway, ...request } of demand) {
      const known = this.#requests.get(gateway)
      if (!known || known.untilMs <= nowMs) this.#take(gateway, request, nowMs + valid_s * 1000)
    }
  }

  #take(gateway: string, { loops, area_m2, frost = false }: HeatRequest, untilMs: number): void {
    const known = this.#requests.get(gateway)
    this.#requests.set(gateway, { loops, area_m2, frost, untilMs })
    if (known?.loops === loops && known.area_m2 === area_m2 && known.frost === frost) return
    const kept = [...this.#requests].map(([id, { untilMs: _, ...request }]) => [id, request])
    this.#store.put('heat_requests', Object.fromEntries(kept) satisfies Kept)
  }

  sum(nowMs: number): HeatRequest {
    const requests = [...this.#requests.values()].filter(({ untilMs }) => nowMs < untilMs)
    return {
      loops: requests.reduce((sum, { loops }) => sum + loops, 0),
      area_m2: requests.reduce((sum, { area_m2 }) => sum + area_m2, 0),
      frost: requests.some(({ loops, frost }) => frost === true && loops > 0),
    }
  }
}
