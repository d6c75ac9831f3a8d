import type { GatewayConfig, HeatRequest, SourceCircuit, SourceCommand } from '@hypocaust/domain'
import type { Heard } from '../adapters/adapter.ts'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Store } from '../base/store.ts'
import type { GatewaySettings } from '../config/settings.ts'
import type { Water } from '../laws/source.ts'
import { HotWaterOutput } from '../supply/hot-water.ts'
import { SupplyOutput } from '../supply/output.ts'
import type { RelayOutput } from '../valves/driver.ts'
import type { RelayParts, Switch } from '../valves/relay.ts'
import type { Channel } from './channel.ts'
import { HeatRequests, REQUEST_EVERY_MS, requestTopic } from './heat-requests.ts'
import { SgReadyOutput } from './sg-ready-output.ts'
import { SourceLock } from './source-lock.ts'
import { SourceOutputs } from './source-outputs.ts'

const NO_REQUEST: HeatRequest = { loops: 0, area_m2: 0 }

interface HeatSourceParts {
  settings: GatewaySettings
  clock: Clock
  store: Pick<Store, 'get' | 'put'>
  isClockOk(): boolean
  publish: RelayParts['publish']
  log: Log
  relay(output: string, name: string, relay: RelayOutput): Switch
  /** The loops that this gateway works. */
  own(): readonly Channel[]
}

/** Pumps, boiler and supply temperature: what the loops here and those of other gateways ask of them. */
export class HeatSource {
  readonly #parts: HeatSourceParts
  readonly #id: string
  readonly #requests: HeatRequests
  readonly outputs: SourceOutputs
  readonly lock: SourceLock
  readonly supplies: readonly SupplyOutput[]
  readonly sgReady: SgReadyOutput
  readonly hotWater: HotWaterOutput
  /** Of several gateways of the building, the one that works the relay of the boiler. */
  #owner: string | undefined
  #hasFrost = false
  #requested: { text: string; atMs: number } | null = null

  constructor(parts: HeatSourceParts) {
    this.#parts = parts
    const { settings, store } = parts
    this.#id = settings.service?.gatewayId ?? ''
    this.outputs = new SourceOutputs({ ...parts, settings: settings.source, cooling: settings.cooling })
    this.#requests = new HeatRequests(this.#id, store)
    this.lock = new SourceLock(parts)
    this.sgReady = new SgReadyOutput({ ...parts, settings: settings.sgReadyOutput })
    this.hotWater = new HotWaterOutput({ ...parts, settings: settings.tank })
    this.supplies = settings.supplies.map((supply) => new SupplyOutput({ ...parts, settings: supply }))
  }

  get subscriptions(): string[] {
    return [
      ...this.lock.subscriptions,
      ...this.#requests.subscriptions,
      ...this.supplies.flatMap(({ subscriptions }) => subscriptions),
      ...this.hotWater.subscriptions,
    ]
  }

  get relays(): Switch[] {
    return [...this.outputs.relays, ...this.sgReady.relays]
  }

  get isShared(): boolean {
    return this.#owner !== undefined
  }

  start(): void {
    this.lock.start()
    this.outputs.start()
    this.sgReady.start()
    this.hotWater.start()
    this.#requests.start(this.#parts.clock.monotonicMs())
    for (const supply of this.supplies) supply.start()
  }

  configure(config: GatewayConfig | null): void {
    this.#owner = config?.source_owner
    this.outputs.leaveToOther(this.#isLeftToOther)
    for (const supply of this.supplies) supply.limitFallback(config?.fallback.supply_most_c ?? null)
  }

  command(command: SourceCommand): void {
    this.#requests.command(command, this.#parts.clock.monotonicMs())
    this.sgReady.command(command)
    this.hotWater.command(command)
    for (const supply of this.supplies) supply.command(command)
  }

  hear(reading: Heard): void {
    const { clock } = this.#parts
    this.lock.hear(reading, clock.nowMs(), clock.monotonicMs())
    this.hotWater.hear(reading, clock.nowMs(), clock.monotonicMs())
    for (const supply of this.supplies) supply.hear(reading, clock.nowMs(), clock.monotonicMs())
  }

  receive(topic: string, payload: Uint8Array, retained: boolean, nowMs: number): void {
    this.lock.receive(topic, payload, nowMs)
    this.#requests.receive(topic, payload, retained, nowMs)
    this.hotWater.receive(topic, payload, nowMs)
    for (const supply of this.supplies) supply.receive(topic, payload, nowMs)
  }

  /** `hasFrost`: a pipe may freeze; `cools`: the water is to be cold. */
  step({ isLocked, hasFrost, cools }: { isLocked: boolean; hasFrost: boolean; cools: boolean }, nowMs: number): void {
    this.#hasFrost = hasFrost
    const others = this.#requests.sum(nowMs)
    const demand = { others, hasFrost: hasFrost || others.frost === true, cools }
    if (isLocked) this.outputs.stop(nowMs)
    else this.outputs.step((channels) => this.#water(channels, nowMs), demand, nowMs)
    this.#requestHeat(nowMs)
  }

  /**
   * The gateway that works the relay of the heat source sees to its minimum of open loops. Another one opens none for it,
   * but keeps one that is open as long as the source must run.
   */
  othersOpen(nowMs: number): HeatRequest {
    if (!this.#isLeftToOther) return this.#requests.sum(nowMs)
    const isOpen = this.#parts.own().some(({ loop, isWater }) => isWater && loop.open)
    return isOpen ? NO_REQUEST : { loops: Number.POSITIVE_INFINITY, area_m2: Number.POSITIVE_INFINITY }
  }

  /** A gateway that shares the heat source asks for heat because a pipe may freeze. */
  othersHaveFrost(nowMs: number): boolean {
    return this.#requests.sum(nowMs).frost === true
  }

  /** Loops behind mixers of their own, and what these were last asked for. */
  get circuits(): SourceCircuit[] {
    return this.supplies.flatMap(({ circuit }) => circuit ?? [])
  }

  /** The warmest water that the source was last asked for, or a mixer where nothing is asked of the source. */
  get suppliesAskedC(): number | null {
    const ofSource = this.supplies.filter(({ circuit }) => circuit === null)
    const asked = (ofSource.length > 0 ? ofSource : this.supplies).flatMap(({ askedC }) => askedC ?? [])
    return asked.length > 0 ? Math.max(...asked) : null
  }

  /** What the loops of this gateway ask of the heat source. */
  request(): HeatRequest {
    const { loops, areaM2 } = this.#water(null, this.#parts.clock.monotonicMs())
    const frost = this.#hasFrost && { frost: true }
    return { loops: this.lock.reason === null ? loops : 0, area_m2: areaM2, ...frost }
  }

  get #isLeftToOther(): boolean {
    return this.#owner !== undefined && this.#owner !== this.#id
  }

  /** The gateway that works the relay of the heat source hears it on the device broker, also without the service. */
  #requestHeat(nowMs: number): void {
    if (this.#owner === undefined || this.#owner === this.#id) return
    const text = JSON.stringify(this.request())
    if (this.#requested?.text === text && nowMs - this.#requested.atMs < REQUEST_EVERY_MS) return
    this.#requested = { text, atMs: nowMs }
    this.#parts.publish({ topic: requestTopic(this.#owner, this.#id), payload: text })
  }

  /** What flows through these channels, or through all. */
  #water(channels: ReadonlySet<number> | null, nowMs: number): Water {
    const water: Water = {
      loops: 0,
      areaM2: 0,
      flows: false,
      openForMs: null,
      closedForMs: Number.POSITIVE_INFINITY,
    }
    for (const channel of this.#parts.own()) {
      if (!channel.isWater || channels?.has(channel.settings.channel) === false) continue
      const { isOpen, forMs } = channel.reports(nowMs)
      const flows = channel.flows(nowMs)
      water.flows ||= flows
      if (isOpen && flows) {
        water.loops += 1
        water.areaM2 += channel.settings.areaM2
      }
      if (isOpen) water.openForMs = Math.max(water.openForMs ?? 0, forMs)
      water.closedForMs = Math.min(water.closedForMs, isOpen ? 0 : forMs)
    }
    return water
  }
}
