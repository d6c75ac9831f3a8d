import type { Ack, GatewayConfig, PowerCommand, SourceCommand, WindowReport } from '@hypocaust/domain'
import { timestampOf } from '@hypocaust/domain'
import { DAY_MS } from '@hypocaust/domain/facts'
import type { Heard } from '../adapters/adapter.ts'
import { type ChannelSettings, replyTopic } from '../config/settings.ts'
import { newLoop, type Report, stepLoop } from '../laws/windows.ts'
import type { RelayParts, Switch } from '../valves/relay.ts'
import { switchOf } from '../valves/switch.ts'
import { Channel, limitsOf } from './channel.ts'
import { Cooling } from './cooling.ts'
import { Duties, type DutyParts } from './duties.ts'
import { HeatSource } from './heat-source.ts'
import { keepChannels, type ResumedChannel, resumedChannels } from './kept-channels.ts'
import { exerciseOne, moveLoops } from './loops.ts'
import { watchChannel, watchedLoop } from './watched.ts'

const DEFAULT_WINDOW_MS = 900_000
const DEFAULT_MIN_MS = 180_000
const DEFAULT_EXERCISE_DAYS = 7

/** For so long after the device broker is there, relays are asked for their state before the first command. */
const SETTLE_MS = 5_000

/** Whether the agent drives the outputs, or only listens to them, for a moment or while another agent drives. */
export type Role = 'listens' | 'drives' | 'stands by'

export interface HeatingParts extends Omit<DutyParts, 'cooling' | 'othersHaveFrost'> {
  publish: RelayParts['publish']
  report(report: WindowReport): void
  /** For a rehearsal, in place of the real relays. */
  relay?: (output: string) => Switch
}

/** The valves: commands and fallback in, relays out. */
export class Heating {
  readonly #parts: HeatingParts
  readonly #duties: Duties
  readonly source: HeatSource
  readonly cooling: Cooling
  #channels: Channel[] = []
  #role: Role = 'drives'
  /** Whether the loops have yet to be taken up: at the start, and after another agent has driven them. */
  #isNew = true
  /** When the relays were asked for their state after the start; null once each goes on from there. */
  #askedMs: number | null = Number.POSITIVE_INFINITY

  constructor(parts: HeatingParts) {
    this.#parts = parts
    this.cooling = new Cooling({ ...parts, supplyC: (nowMs) => this.source.lock.supplyC(nowMs) })
    const othersHaveFrost = (nowMs: number) => this.source.othersHaveFrost(nowMs)
    this.#duties = new Duties({ ...parts, cooling: this.cooling, othersHaveFrost })
    const { autoOffS } = parts.settings
    this.source = new HeatSource({
      ...parts,
      relay: (output, name, relay) => this.#relay(output, name, { ...relay, normally: 'closed', autoOffS }, 0),
      own: () => this.#own,
    })
  }

  get configRevision(): number | null {
    return this.#duties.config?.revision ?? null
  }

  get subscriptions(): string[] {
    return [
      ...this.#relays.flatMap((relay) => relay.subscriptions),
      ...this.source.subscriptions,
      ...this.cooling.subscriptions,
    ]
  }

  get channels(): readonly Channel[] {
    return this.#channels
  }

  /** What is kept on disk is taken up: the last command while it is valid, else the fallback. */
  start(): void {
    this.cooling.start()
    this.#duties.start()
    const resumed = resumedChannels(this.#parts)
    this.#channels = this.#parts.settings.channels.map((settings) => this.#channel(settings, resumed(settings.channel)))
    this.source.start()
    this.#followConfig()
  }

  sourceCommand(command: SourceCommand): void {
    this.source.command(command)
    this.step()
  }

  command(command: PowerCommand): Ack {
    const ack = this.#duties.command(command)
    if (ack.result === 'accepted') this.step()
    return ack
  }

  /** Whether this is the command in force. */
  follows(command: Pick<PowerCommand, 'epoch' | 'seq'>): boolean {
    return this.#duties.follows(command)
  }

  configure(config: GatewayConfig): void {
    this.#duties.configure(config)
    this.#followConfig()
    this.step()
  }

  heard(reading: Heard): void {
    const { clock } = this.#parts
    for (const { probe } of this.#channels) probe?.hear(reading, clock.nowMs(), clock.monotonicMs())
    this.#duties.hear(reading)
    this.source.hear(reading)
  }

  deviceMessage(topic: string, payload: Uint8Array, retained: boolean): void {
    const nowMs = this.#parts.clock.monotonicMs()
    for (const relay of this.#relays) relay.receive(topic, payload, retained, nowMs)
    this.source.receive(topic, payload, retained, nowMs)
    this.cooling.receive(topic, payload)
  }

  /** A connection is no reason to switch anything: every relay gets its command again, and has to confirm it. */
  devicesUp(): void {
    const nowMs = this.#parts.clock.monotonicMs()
    for (const relay of this.#relays) relay.forget()
    for (const supply of this.source.supplies) supply.forget()
    this.source.hotWater.forget(nowMs)
    if (this.#askedMs === null) return
    for (const relay of this.#relays) relay.ask(nowMs)
    this.#askedMs = nowMs
  }

  hold(channel: number, seconds: number): void {
    const untilMs = this.#parts.clock.monotonicMs() + seconds * 1000
    this.#channels.find(({ settings }) => settings.channel === channel)?.relay.hold(untilMs)
  }

  /** An agent that does not drive the outputs only listens to them, and then goes on from what they report. */
  drive(role: Role): void {
    if (role === this.#role) return
    this.#role = role
    if (role === 'stands by') this.#isNew = true
    if (role !== 'drives') return
    this.#askedMs = Number.POSITIVE_INFINITY
    if (this.#isNew) this.start()
    this.#isNew = false
    this.devicesUp()
  }

  step(): void {
    const nowMs = this.#parts.clock.monotonicMs()
    if (this.#role !== 'drives') this.#standBy(nowMs)
    else if (this.#isSettled(nowMs)) this.#stepOutputs(nowMs)
  }

  /** What must outlive a restart. */
  save(): void {
    keepChannels(this.#parts, this.#channels)
  }

  leave(): void {
    if (this.#role !== 'drives') return
    const nowMs = this.#parts.clock.monotonicMs()
    for (const relay of [...this.#own.map(({ relay }) => relay), ...this.source.relays]) relay.leave(nowMs)
    this.source.hotWater.leave()
    for (const supply of this.source.supplies) supply.leave(nowMs, this.#duties.cools(nowMs) ? this.#coolWaterC : null)
  }

  #stepOutputs(nowMs: number): void {
    const isLocked = this.source.lock.step(nowMs)
    for (const channel of this.#own) {
      const movesWater = !isLocked && this.source.outputs.movesWater(channel.settings.channel, nowMs)
      this.#stepLoop(channel, movesWater, nowMs)
    }
    for (const channel of this.#channels) if (channel.isWatched) this.#watch(channel, nowMs)
    const cools = this.#duties.cools(nowMs)
    for (const supply of this.source.supplies) supply.step(nowMs, cools ? this.#coolWaterC : null)
    const cold = this.#own.filter((channel) => this.#duties.isCold(channel, nowMs))
    const frost = { hasFrost: cold.length > 0 || this.source.othersHaveFrost(nowMs) }
    this.source.hotWater.step(frost, nowMs)
    this.source.sgReady.step(frost, nowMs)
    const isWaiting = this.#duties.waitsForCommand(nowMs)
    const wet = this.#own.filter(({ isCooled, held }) => isCooled && held !== null)
    if (isWaiting && cold.length + wet.length === 0) return
    if (!isWaiting && !isLocked) exerciseOne(this.#own, nowMs)
    this.#moveLoops(isWaiting ? [...cold, ...wet] : this.#own, isLocked, nowMs)
    this.source.step({ isLocked, hasFrost: cold.length > 0, cools }, nowMs)
  }

  /** By the rooms through whose loops it may flow, those that are too damp at the moment included. */
  readonly #coolWaterC = (commandedC: number | null): number => {
    const nowMs = this.#parts.clock.monotonicMs()
    const isCommanded = ({ settings, windowMs }: Channel) =>
      this.#duties.commanded(settings.channel, windowMs, nowMs).power > 0
    const asking = this.#own.filter((channel) => channel.isWater && (channel.loop.open || isCommanded(channel)))
    return this.cooling.supplyC(commandedC, this.#duties.sensorsOf(asking))
  }

  #moveLoops(channels: Channel[], isLocked: boolean, nowMs: number): void {
    const demands = {
      isLocked,
      limits: this.#parts.settings.source.limits,
      source: this.source.outputs.state,
      others: this.source.othersOpen(nowMs),
      headroomK: (channel: Channel) => this.#duties.headroomK(channel),
      isCold: (channel: Channel) => this.#duties.isCold(channel, nowMs),
    }
    if (moveLoops(channels, demands, nowMs)) this.save()
    for (const channel of channels) channel.follow(nowMs)
  }

  #standBy(nowMs: number): void {
    for (const relay of this.#relays) relay.watch(nowMs)
    this.source.outputs.adopt(nowMs)
  }

  /** After a start every output goes on from what its relay reports: nothing is switched before that is known. */
  #isSettled(nowMs: number): boolean {
    if (this.#askedMs === null) return true
    const isKnown = this.#relays.every((relay) => relay.hasReported())
    const waitedMs = nowMs - this.#askedMs
    if (waitedMs < 0 || (waitedMs < SETTLE_MS && !isKnown)) return false
    this.#askedMs = null
    for (const channel of this.#own) channel.adopt(nowMs)
    this.source.outputs.adopt(nowMs)
    return true
  }

  #stepLoop(channel: Channel, movesWater: boolean, nowMs: number): void {
    const duty = this.#duties.of(channel, nowMs)
    const happened = channel.happened(movesWater, nowMs)
    const { loop, reports } = stepLoop(channel.loop, duty, channel.limits, nowMs, happened)
    channel.loop = loop
    if (duty.windowMs !== channel.windowMs) {
      channel.windowMs = duty.windowMs
      this.save()
    }
    for (const report of reports) this.#report(channel.settings.channel, report, nowMs)
  }

  #watch(channel: Channel, nowMs: number): void {
    channel.windowMs = this.#duties.commanded(channel.settings.channel, channel.windowMs, nowMs).windowMs
    for (const report of watchChannel(channel, nowMs)) this.#report(channel.settings.channel, report, nowMs)
  }

  #followConfig(): void {
    this.#limitChannels()
    this.#watchChannels()
    this.source.configure(this.#duties.config)
  }

  #limitChannels(): void {
    const { config } = this.#duties
    const days = config?.exercise_days ?? DEFAULT_EXERCISE_DAYS
    for (const [i, channel] of this.#channels.entries())
      channel.limits = limitsOf(channel.settings, {
        minMs: config ? config.min_open_s * 1000 : DEFAULT_MIN_MS,
        exerciseAfterMs: days === 0 ? null : days * DAY_MS,
        source: this.#parts.settings.source.limits,
        phase: i / this.#channels.length,
      })
  }

  #watchChannels(): void {
    const nowMs = this.#parts.clock.monotonicMs()
    for (const channel of this.#channels) {
      const isWatched = this.#duties.config?.watched?.includes(channel.settings.channel) ?? false
      if (isWatched === channel.isWatched) continue
      channel.isWatched = isWatched
      channel.loop = isWatched
        ? watchedLoop(channel, nowMs)
        : newLoop(this.#duties.of(channel, nowMs), nowMs, { idleMs: 0 })
    }
  }

  #channel(settings: ChannelSettings, resumed: ResumedChannel | null): Channel {
    const { clock, settings: all } = this.#parts
    const { channel: number, name } = settings
    const nowMs = clock.monotonicMs()
    const windowMs = resumed?.windowMs ?? DEFAULT_WINDOW_MS
    const duty = this.#duties.commanded(number, windowMs, nowMs)
    const recent = resumed?.recent ?? null
    const loop = newLoop(duty, nowMs, {
      idleMs: resumed?.idleMs ?? 0,
      ...(recent && { owedMs: recent.owedMs, open: recent.open && duty.power > 0 }),
    })
    const relay = this.#relay(`channel ${number}`, name, { ...settings, autoOffS: all.autoOffS }, number)
    const channel = new Channel(settings, relay, loop, windowMs, nowMs)
    if (recent) {
      channel.actuator = recent.actuator
      relay.presume(recent.open ? Math.max(recent.actuator.position, 0.01) : 0, nowMs)
    }
    return channel
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

  #relay(output: string, name: string, settings: RelayParts['settings'], id: number): Switch {
    const { publish, log, settings: all, relay, isAutoOffProven } = this.#parts
    if (relay) return relay(output)
    const reply = { replyTo: replyTopic(all), id }
    return switchOf({ name, settings, reply, isAutoOffProven: () => isAutoOffProven(settings), publish, log })
  }

  /** Those that no other thermostat works. */
  get #own(): Channel[] {
    return this.#channels.filter(({ isWatched }) => !isWatched)
  }

  get #relays(): Switch[] {
    return [...this.#channels.map(({ relay }) => relay), ...this.source.relays]
  }
}

const seconds = (ms: number) => Math.round(ms / 100) / 10
