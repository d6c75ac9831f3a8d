import type { Ack, GatewayConfig, PowerCommand, WindowReport } from '@hypocaust/domain'
import { fallbackAfterS, timestampOf } from '@hypocaust/domain'
import type { Heard } from './adapters/adapter.ts'
import type { Clock } from './clock.ts'
import { type InForce, judge, type Order, wishFor } from './commands.ts'
import type { ChannelSettings, GatewaySettings } from './config/settings.ts'
import { NO_DEMAND, stepDemand } from './demand.ts'
import type { Log } from './log.ts'
import type { Store } from './store.ts'
import type { Publish } from './valves/driver.ts'
import { Relay } from './valves/relay.ts'
import {
  type Limits,
  type Loop,
  newLoop,
  type Report,
  startExercise,
  stepLoop,
  type Wish,
  wantsExercise,
} from './windows.ts'

const DAY_MS = 86_400_000
const DEFAULT_WINDOW_MS = 900_000
const DEFAULT_MIN_MS = 180_000
const ELECTRIC_MIN_MS = 30_000
const DEFAULT_EXERCISE_DAYS = 7
const PROBE_SILENT_MS = 1_800_000
const PROBE_HYSTERESIS_C = 0.5

export interface HeatingParts {
  settings: GatewaySettings
  clock: Clock
  store: Store
  /** Our wall time, or null while it is not to be believed. */
  trustedWallMs(): number | null
  publish(message: Publish): boolean
  report(report: WindowReport): void
  log: Log
}

interface Channel {
  settings: ChannelSettings
  relay: Relay
  loop: Loop
  windowMs: number
  probe: { atMs: number; hot: boolean } | null
}

type KeptChannels = Record<string, { windowMs: number; idleMs: number }>

/** The valves: commands and fallback in, relays out. */
export class Heating {
  readonly #parts: HeatingParts
  readonly #demandRelay: Relay | null
  #channels: Channel[] = []
  #config: GatewayConfig | null = null
  #order: Order | null = null
  #inForce: InForce | null = null
  #demand = NO_DEMAND
  #startedMs = 0

  constructor(parts: HeatingParts) {
    this.#parts = parts
    const { demand, autoOffS } = parts.settings
    this.#demandRelay = demand ? this.#relay('the demand output', { ...demand, normally: 'closed', autoOffS }, 0) : null
  }

  get configRevision(): number | null {
    return this.#config?.revision ?? null
  }

  get subscriptions(): string[] {
    return this.#relays.flatMap((relay) => relay.subscriptions)
  }

  /** Everything kept on disk is taken up; until a command comes, the fallback rules. */
  start(): void {
    const { settings, clock, store } = this.#parts
    this.#config = store.get<GatewayConfig>('config') ?? null
    this.#order = store.get<Order>('order') ?? null
    this.#startedMs = clock.monotonicMs()
    const kept = store.get<KeptChannels>('channels') ?? {}
    this.#channels = settings.channels.map((channel, i) => {
      const { windowMs, idleMs } = kept[channel.channel] ?? { windowMs: DEFAULT_WINDOW_MS, idleMs: 0 }
      const wish = wishFor(channel.channel, null, this.#config, windowMs, this.#startedMs)
      return {
        settings: channel,
        relay: this.#relay(channel.name, { ...channel, autoOffS: settings.autoOffS }, channel.channel),
        loop: newLoop(wish, this.#limits(channel, i), this.#startedMs, idleMs),
        windowMs,
        probe: null,
      }
    })
  }

  command(command: PowerCommand): Ack {
    const { clock, settings, store, trustedWallMs, log } = this.#parts
    const verdict = judge(command, {
      last: this.#order,
      channels: new Set(settings.channels.map((channel) => channel.channel)),
      wallMs: trustedWallMs(),
      monoMs: clock.monotonicMs(),
      fallbackAfterMs:
        1000 * (this.#config?.fallback.after_s ?? fallbackAfterS(command.valves.map(({ window_s }) => window_s))),
    })
    if (verdict.ack.why) log(`command ${command.epoch}/${command.seq} ${verdict.ack.result}: ${verdict.ack.why}`)
    if (verdict.inForce) {
      this.#inForce = verdict.inForce
      this.#order = { epoch: command.epoch, seq: command.seq }
      store.put('order', this.#order)
      this.step()
    }
    return verdict.ack
  }

  /** The service's configuration, on disk before anything relies on it. */
  configure(config: GatewayConfig): void {
    if (JSON.stringify(config) !== JSON.stringify(this.#config)) this.#parts.store.put('config', config)
    this.#config = config
    this.step()
  }

  heard({ id, temperature }: Heard): void {
    const nowMs = this.#parts.clock.monotonicMs()
    for (const channel of this.#channels) {
      const limit = channel.settings.floorProbe
      if (limit?.sensorId !== id) continue
      const hotFromC = channel.probe?.hot ? limit.maxC - PROBE_HYSTERESIS_C : limit.maxC
      channel.probe = { atMs: nowMs, hot: temperature >= hotFromC }
    }
  }

  deviceMessage(topic: string, payload: Uint8Array, retained: boolean): void {
    const nowMs = this.#parts.clock.monotonicMs()
    for (const relay of this.#relays) relay.receive(topic, payload, retained, nowMs)
  }

  /** Every relay is told again at the next step. */
  devicesUp(): void {
    for (const relay of this.#relays) relay.forget()
  }

  hold(channel: number, seconds: number): void {
    const untilMs = this.#parts.clock.monotonicMs() + seconds * 1000
    this.#channels.find(({ settings }) => settings.channel === channel)?.relay.hold(untilMs)
  }

  step(): void {
    const nowMs = this.#parts.clock.monotonicMs()
    for (const [i, channel] of this.#channels.entries()) this.#stepChannel(channel, i, nowMs)
    this.#exerciseOne(nowMs)
    for (const { relay, loop } of this.#channels) relay.set(loop.open, nowMs)
    this.#stepDemand(nowMs)
  }

  /** What must outlive a restart and changes slowly. */
  save(): void {
    const kept: KeptChannels = Object.fromEntries(
      this.#channels.map(({ settings, windowMs, loop }) => [settings.channel, { windowMs, idleMs: loop.idleMs }]),
    )
    this.#parts.store.put('channels', kept)
  }

  leave(): void {
    const nowMs = this.#parts.clock.monotonicMs()
    for (const relay of this.#relays) relay.leave(nowMs)
  }

  #stepChannel(channel: Channel, i: number, nowMs: number): void {
    const wish = this.#wish(channel, nowMs)
    if (wish.windowMs !== channel.windowMs) {
      channel.windowMs = wish.windowMs
      this.save()
    }
    const limits = this.#limits(channel.settings, i)
    const { loop, reports } = stepLoop(channel.loop, wish, limits, nowMs, channel.relay.isOpen(nowMs))
    channel.loop = loop
    for (const report of reports) this.#report(channel.settings.channel, report, nowMs)
  }

  #wish(channel: Channel, nowMs: number): Wish {
    const wish = wishFor(channel.settings.channel, this.#inForce, this.#config, channel.windowMs, nowMs)
    return this.#floorForbids(channel, nowMs) ? { ...wish, power: 0 } : wish
  }

  /** A hot floor stops any loop; an electric mat also stops when its probe has fallen silent. */
  #floorForbids({ settings, probe }: Channel, nowMs: number): boolean {
    if (!settings.floorProbe) return false
    const silent = nowMs - (probe?.atMs ?? this.#startedMs) > PROBE_SILENT_MS
    if (settings.heat === 'electric') return probe === null || silent || probe.hot
    return probe !== null && !silent && probe.hot
  }

  /** One at a time: an exercise is no reason for a surge. */
  #exerciseOne(nowMs: number): void {
    if (this.#channels.some(({ loop }) => loop.exercise)) return
    const due = this.#channels.find(({ settings, loop }, i) => wantsExercise(loop, this.#limits(settings, i)))
    if (due) due.loop = startExercise(due.loop, nowMs)
  }

  #stepDemand(nowMs: number): void {
    const { demand } = this.#parts.settings
    if (!demand) return
    const flowing = this.#channels.some(
      ({ settings, loop }) => settings.heat === 'hydronic' && loop.open && !loop.exercise,
    )
    this.#demand = stepDemand(this.#demand, flowing, demand, nowMs)
    this.#demandRelay?.set(this.#demand.on, nowMs)
  }

  #limits({ heat }: ChannelSettings, i: number): Limits {
    const minMs = this.#config ? this.#config.min_open_s * 1000 : DEFAULT_MIN_MS
    const days = this.#config?.exercise_days ?? DEFAULT_EXERCISE_DAYS
    return {
      minMs: heat === 'electric' ? Math.min(minMs, ELECTRIC_MIN_MS) : minMs,
      exerciseAfterMs: heat === 'electric' || days === 0 ? null : days * DAY_MS,
      phase: i / this.#parts.settings.channels.length,
    }
  }

  #report(channel: number, { source, seq, startMs, windowMs, openMs }: Report, nowMs: number): void {
    const windowS = seconds(windowMs)
    this.#parts.report({
      channel,
      seq,
      start: timestampOf(this.#parts.clock.nowMs() - (nowMs - startMs)),
      window_s: windowS,
      open_s: Math.min(windowS, seconds(openMs)),
      source,
    })
  }

  #relay(name: string, settings: ConstructorParameters<typeof Relay>[0]['settings'], id: number): Relay {
    const { publish, log, settings: all } = this.#parts
    const asker = { replyTo: `hypocaust-${all.service?.gatewayId ?? 'gateway'}`, id }
    return new Relay({ name, settings, asker, isAutoOffProven: () => false, publish, log })
  }

  get #relays(): Relay[] {
    return [...this.#channels.map(({ relay }) => relay), ...(this.#demandRelay ? [this.#demandRelay] : [])]
  }
}

const seconds = (ms: number) => Math.round(ms / 100) / 10
