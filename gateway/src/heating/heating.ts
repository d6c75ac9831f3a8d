import type { Ack, GatewayConfig, HeatRequest, PowerCommand, SourceCommand, WindowReport } from '@hypocaust/domain'
import { fallbackAfterS, type HeldOff, timestampOf } from '@hypocaust/domain'
import { DAY_MS } from '@hypocaust/domain/facts'
import type { Heard } from '../adapters/adapter.ts'
import { ageMs, type Clock, type Moment, momentNow } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Store } from '../base/store.ts'
import { type GatewaySettings, replyTopic } from '../config/settings.ts'
import type { Actuator } from '../laws/actuator.ts'
import { alignedOpenings } from '../laws/align.ts'
import type { Water } from '../laws/source.ts'
import { moveLoop, newLoop, type Report, startExercise, stepLoop, type Wish, wantsExercise } from '../laws/windows.ts'
import { SupplyOutput } from '../supply/output.ts'
import type { RelayOutput } from '../valves/driver.ts'
import type { RelayParts, Switch } from '../valves/relay.ts'
import { switchOf } from '../valves/switch.ts'
import { Channel, limitsOf } from './channel.ts'
import { type InForce, judge, wishFor } from './commands.ts'
import { Frost } from './frost.ts'
import { HeatRequests, REQUEST_EVERY_MS, requestTopic } from './heat-requests.ts'
import { SourceLock } from './source-lock.ts'
import { SourceOutputs } from './source-outputs.ts'
import { watchChannel, watchedLoop } from './watched.ts'

const DEFAULT_WINDOW_MS = 900_000
const DEFAULT_MIN_MS = 180_000
const DEFAULT_EXERCISE_DAYS = 7
/** After a longer absence a valve is no longer where it was. */
const RESUMED_WITHIN_MS = 900_000
/** The broker keeps configuration and command and sends them as soon as the gateway has subscribed. */
const FIRST_COMMAND_WITHIN_MS = 30_000

/** For so long after the device broker is there, relays are asked for their state before the first command. */
const SETTLE_MS = 5_000

const NO_REQUEST: HeatRequest = { loops: 0, area_m2: 0 }

const HELD_OFF: Record<HeldOff, (channel: number) => string> = {
  auto_off_unproven: (channel) => `prove its auto-off with hypocaust gateway test --auto-off --channel ${channel}`,
  no_floor_probe: () => 'its floor probe has not reported for 30 minutes. Check the sensor and its id in floor_probe',
  floor_limit: () => 'its floor has reached max_c of floor_probe',
}

/** Whether the agent drives the outputs, or only listens to them, for a moment or while another agent drives. */
export type Role = 'listens' | 'drives' | 'stands by'

export interface HeatingParts {
  settings: GatewaySettings
  clock: Clock
  store: Pick<Store, 'get' | 'put'>
  isClockOk(): boolean
  isAutoOffProven(relay: RelayOutput): boolean
  publish: RelayParts['publish']
  report(report: WindowReport): void
  log: Log
  /** For a rehearsal, in place of the real relays. */
  relay?: (output: string) => Switch
}

/** What is kept of a loop over a restart. */
type KeptChannel = { windowMs: number; idleMs: number; owedMs: number; open: boolean; actuator: KeptActuator }
/** JSON has no infinity. */
type KeptActuator = Omit<Actuator, 'turnedMs'> & { turnedMs: number | null }
type KeptChannels = Record<string, KeptChannel>
type KeptCommand = { command: PowerCommand; arrived: Moment }

/** The valves: commands and fallback in, relays out. */
export class Heating {
  readonly #parts: HeatingParts
  readonly #source: SourceOutputs
  readonly #lock: SourceLock
  readonly #supply: SupplyOutput | null
  readonly #frost: Frost
  readonly #requests: HeatRequests
  #requested: { text: string; atMs: number } | null = null
  #channels: Channel[] = []
  #config: GatewayConfig | null = null
  #inForce: InForce | null = null
  #startedMs = 0
  #role: Role = 'drives'
  /** Whether the loops have yet to be taken up: at the start, and after another agent has driven them. */
  #isNew = true
  /** When the relays were asked for their state after the start; null once each goes on from there. */
  #askedMs: number | null = Number.POSITIVE_INFINITY

  constructor(parts: HeatingParts) {
    this.#parts = parts
    const { source, autoOffS } = parts.settings
    this.#source = new SourceOutputs({
      ...parts,
      settings: source,
      relay: (output, name, relay) => this.#relay(output, name, { ...relay, normally: 'closed', autoOffS }, 0),
    })
    this.#requests = new HeatRequests(this.#id, parts.store)
    this.#frost = new Frost(parts)
    this.#lock = new SourceLock(parts.settings, parts.log)
    const { supply } = parts.settings
    this.#supply = supply && new SupplyOutput({ ...parts, settings: supply })
  }

  get configRevision(): number | null {
    return this.#config?.revision ?? null
  }

  get subscriptions(): string[] {
    return [
      ...this.#relays.flatMap((relay) => relay.subscriptions),
      ...this.#lock.subscriptions,
      ...this.#requests.subscriptions,
      ...(this.#supply?.subscriptions ?? []),
    ]
  }

  get lock(): SourceLock {
    return this.#lock
  }

  get supply(): SupplyOutput | null {
    return this.#supply
  }

  get channels(): readonly Channel[] {
    return this.#channels
  }

  /** What is kept on disk is taken up: the last command while it is valid, else the fallback. */
  start(): void {
    const { settings, clock, store } = this.#parts
    this.#config = store.get<GatewayConfig>('config') ?? null
    this.#startedMs = clock.monotonicMs()
    this.#resumeCommand()
    const kept = store.get<{ channels: KeptChannels; saved: Moment } | null>('channels')
    const keptAgeMs = kept ? ageMs(kept.saved, clock, this.#parts.isClockOk()) : null
    this.#channels = settings.channels.map((channel) => {
      const known = kept?.channels[channel.channel]
      const isRecent = known !== undefined && keptAgeMs !== null && keptAgeMs <= RESUMED_WITHIN_MS
      const windowMs = known?.windowMs ?? DEFAULT_WINDOW_MS
      const wish = wishFor(channel.channel, this.#inForce, null, windowMs, this.#startedMs)
      const loop = newLoop(wish, this.#startedMs, {
        idleMs: known?.idleMs ?? 0,
        ...(isRecent && { owedMs: known.owedMs, open: known.open && wish.power > 0 }),
      })
      const number = channel.channel
      const relay = this.#relay(`channel ${number}`, channel.name, { ...channel, autoOffS: settings.autoOffS }, number)
      const made = new Channel(channel, relay, loop, windowMs, this.#startedMs)
      if (kept && isRecent) {
        made.actuator = shifted(known.actuator, this.#startedMs - keptAgeMs - kept.saved.monotonicMs)
        relay.presume(known.open ? Math.max(known.actuator.position, 0.01) : 0, this.#startedMs)
      }
      return made
    })
    this.#source.start()
    this.#requests.start(this.#startedMs)
    this.#frost.start()
    this.#followConfig()
    this.#supply?.start()
  }

  sourceCommand(command: SourceCommand): void {
    this.#requests.command(command, this.#parts.clock.monotonicMs())
    this.#supply?.command(command)
    this.step()
  }

  command(command: PowerCommand): Ack {
    const { clock, settings, store, log } = this.#parts
    const verdict = judge(command, {
      last: this.#inForce,
      channels: new Set(settings.channels.map((channel) => channel.channel)),
      monoMs: clock.monotonicMs(),
      fallbackAfterMs: this.#fallbackAfterMs(command),
    })
    if (verdict.ack.why) log(`command ${command.epoch}/${command.seq} ${verdict.ack.result}: ${verdict.ack.why}`)
    if (verdict.inForce) {
      this.#inForce = verdict.inForce
      store.put('command', { command, arrived: momentNow(clock) } satisfies KeptCommand)
      this.step()
    }
    return verdict.ack
  }

  /** Whether this is the command in force. */
  follows({ epoch, seq }: Pick<PowerCommand, 'epoch' | 'seq'>): boolean {
    const inForce = this.#inForce
    return inForce?.epoch === epoch && inForce.seq === seq && this.#parts.clock.monotonicMs() < inForce.untilMs
  }

  /** The service's configuration, on disk before anything relies on it. */
  configure(config: GatewayConfig): void {
    if (JSON.stringify(config) !== JSON.stringify(this.#config)) this.#parts.store.put('config', config)
    this.#config = config
    this.#followConfig()
    this.step()
  }

  heard(reading: Heard): void {
    const { clock } = this.#parts
    for (const { probe } of this.#channels) probe?.hear(reading, clock.nowMs(), clock.monotonicMs())
    this.#frost.hear(reading)
    this.#lock.hear(reading, clock.nowMs(), clock.monotonicMs())
    this.#supply?.hear(reading, clock.nowMs(), clock.monotonicMs())
  }

  deviceMessage(topic: string, payload: Uint8Array, retained: boolean): void {
    const nowMs = this.#parts.clock.monotonicMs()
    for (const relay of this.#relays) relay.receive(topic, payload, retained, nowMs)
    this.#lock.receive(topic, payload, nowMs)
    this.#requests.receive(topic, payload, retained, nowMs)
    this.#supply?.receive(topic, payload, nowMs)
  }

  /** A connection is no reason to switch anything: every relay gets its command again, and has to confirm it. */
  devicesUp(): void {
    const nowMs = this.#parts.clock.monotonicMs()
    for (const relay of this.#relays) relay.forget()
    this.#supply?.forget()
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

  get #drives(): boolean {
    return this.#role === 'drives'
  }

  step(): void {
    const nowMs = this.#parts.clock.monotonicMs()
    if (!this.#drives) this.#standBy(nowMs)
    else if (this.#isSettled(nowMs)) this.#stepOutputs(nowMs)
  }

  #stepOutputs(nowMs: number): void {
    const isLocked = this.#lock.step(nowMs)
    for (const channel of this.#own) {
      const movesWater = !isLocked && this.#source.movesWater(channel.settings.channel, nowMs)
      this.#stepLoop(channel, movesWater, nowMs)
    }
    for (const channel of this.#channels) if (channel.isWatched) this.#watch(channel, nowMs)
    this.#supply?.step(nowMs)
    const cold = this.#own.filter((channel) => this.#isCold(channel, nowMs))
    const isWaiting = this.#waitsForCommand(nowMs)
    if (isWaiting && cold.length === 0) return
    if (!isWaiting && !isLocked) this.#exerciseOne(nowMs)
    const moving = isWaiting ? cold : this.#own
    this.#moveLoops(moving, isLocked, nowMs)
    for (const channel of moving) channel.follow(nowMs)
    this.#stepSource(isLocked, cold.length > 0, nowMs)
  }

  /** What must outlive a restart. */
  save(): void {
    const { store, clock } = this.#parts
    const channels: KeptChannels = Object.fromEntries(
      this.#channels.map(({ settings, windowMs, actuator, loop: { idleMs, owedMs, open } }) => [
        settings.channel,
        { windowMs, idleMs, owedMs, open, actuator },
      ]),
    )
    store.put('channels', { channels, saved: momentNow(clock) })
  }

  leave(): void {
    if (!this.#drives) return
    const nowMs = this.#parts.clock.monotonicMs()
    for (const relay of [...this.#own.map(({ relay }) => relay), ...this.#source.relays]) relay.leave(nowMs)
    this.#supply?.leave(nowMs)
  }

  #resumeCommand(): void {
    const { store, clock, settings, isClockOk } = this.#parts
    const kept = store.get<KeptCommand | null>('command')
    const age = kept ? ageMs(kept.arrived, clock, isClockOk()) : null
    if (!kept || age === null) return
    const verdict = judge(kept.command, {
      last: null,
      channels: new Set(settings.channels.map((channel) => channel.channel)),
      monoMs: this.#startedMs - age,
      fallbackAfterMs: this.#fallbackAfterMs(kept.command),
    })
    if (verdict.inForce && verdict.inForce.untilMs > this.#startedMs) this.#inForce = verdict.inForce
  }

  #standBy(nowMs: number): void {
    for (const relay of this.#relays) relay.watch(nowMs)
    this.#source.adopt(nowMs)
  }

  /** After a start every output goes on from what its relay reports: nothing is switched before that is known. */
  #isSettled(nowMs: number): boolean {
    if (this.#askedMs === null) return true
    const isKnown = this.#relays.every((relay) => relay.hasReported())
    const waitedMs = nowMs - this.#askedMs
    if (waitedMs < 0 || (waitedMs < SETTLE_MS && !isKnown)) return false
    this.#askedMs = null
    for (const channel of this.#own) channel.adopt(nowMs)
    this.#source.adopt(nowMs)
    return true
  }

  #stepLoop(channel: Channel, movesWater: boolean, nowMs: number): void {
    const wish = this.#wish(channel, nowMs)
    const happened = channel.happened(movesWater, nowMs)
    const { loop, reports } = stepLoop(channel.loop, wish, channel.limits, nowMs, happened)
    channel.loop = loop
    if (wish.windowMs !== channel.windowMs) {
      channel.windowMs = wish.windowMs
      this.save()
    }
    for (const report of reports) this.#report(channel.settings.channel, report, nowMs)
  }

  /** Until then nothing moves: which valves another thermostat works, and which are to stay closed, may have changed. */
  #waitsForCommand(nowMs: number): boolean {
    return this.#inForce === null && nowMs - this.#startedMs < FIRST_COMMAND_WITHIN_MS
  }

  #watch(channel: Channel, nowMs: number): void {
    const { windowMs } = wishFor(channel.settings.channel, this.#inForce, this.#config, channel.windowMs, nowMs)
    channel.windowMs = windowMs
    for (const report of watchChannel(channel, nowMs)) this.#report(channel.settings.channel, report, nowMs)
  }

  #wish(channel: Channel, nowMs: number): Wish {
    const config = this.#waitsForCommand(nowMs) ? null : this.#config
    const wish = wishFor(channel.settings.channel, this.#inForce, config, channel.windowMs, nowMs)
    const held = this.#heldOff(channel, nowMs)
    if (held !== channel.held) this.#logHeld(channel, held)
    if (held !== null) return { ...wish, power: 0 }
    return this.#isCold(channel, nowMs) ? { ...wish, power: 1 } : wish
  }

  /** Frost does not wait for the service. */
  #isCold({ settings }: Channel, nowMs: number): boolean {
    if (!this.#config || this.#config.frost_protection === false) return false
    return this.#frost.isCold(this.#config.sensors?.[settings.channel] ?? [], nowMs)
  }

  /** A mat that nobody switches off burns: it stays off until its relay has been seen to do so by itself. */
  #heldOff({ settings, probe }: Channel, nowMs: number): HeldOff | null {
    if (settings.heat === 'electric' && !this.#parts.isAutoOffProven(settings)) return 'auto_off_unproven'
    return probe?.holdsOff(settings.heat, nowMs) ?? null
  }

  #logHeld(channel: Channel, held: HeldOff | null): void {
    channel.held = held
    const { name, channel: number } = channel.settings
    this.#parts.log(held === null ? `${name} may heat again` : `${name} stays off: ${HELD_OFF[held](number)}`)
  }

  #isFloorForbidden({ probe, settings }: Channel, nowMs: number): boolean {
    return (probe?.holdsOff(settings.heat, nowMs) ?? null) !== null
  }

  /** Each loop as it wants, or water loops together where pump or boiler ask for it. */
  #moveLoops(own: readonly Channel[], isLocked: boolean, nowMs: number): void {
    // A floor that is too hot closes its loop at once, whatever the valve's shortest opening is.
    const wants = own.map((channel) => !this.#isFloorForbidden(channel, nowMs) && channel.wants(nowMs))
    const water = own.flatMap((channel, i) => (channel.isWater && !channel.loop.exercise ? [i] : []))
    // An actuator with a position follows its own power and is not brought into line.
    const switched = water.filter((i) => !own[i]?.hasPosition)
    const { limits } = this.#parts.settings.source
    if (isLocked) for (const i of water) wants[i] = false
    else if (limits) {
      const candidates = switched.map((i) => this.#candidate(own[i] as Channel, wants[i] === true, nowMs))
      const opens = alignedOpenings(candidates, this.#source.state, limits, this.#othersOpen(nowMs), nowMs)
      for (const [n, i] of switched.entries()) wants[i] = opens[n] === true
    }
    const hasMoved = own.some(({ loop }, i) => loop.open !== wants[i])
    for (const [i, channel] of own.entries()) channel.loop = moveLoop(channel.loop, wants[i] === true, nowMs)
    if (hasMoved) this.save()
  }

  /**
   * The gateway that works the relay of the heat source sees to its minimum of open loops. Another one opens none for it,
   * but keeps one that is open as long as the source must run.
   */
  #othersOpen(nowMs: number): HeatRequest {
    if (!this.#source.isLeftToOther) return this.#requests.sum(nowMs)
    const isOpen = this.#own.some(({ loop, isWater }) => isWater && loop.open)
    return isOpen ? NO_REQUEST : { loops: Number.POSITIVE_INFINITY, area_m2: Number.POSITIVE_INFINITY }
  }

  #candidate(channel: Channel, wants: boolean, nowMs: number) {
    const isForbidden = this.#isFloorForbidden(channel, nowMs) || channel.relay.health.state !== 'ok'
    const headroomK = this.#inForce?.valves.get(channel.settings.channel)?.headroomK ?? null
    return channel.candidate(wants, isForbidden, headroomK, nowMs)
  }

  /** One at a time: an exercise is no reason for a surge. */
  #exerciseOne(nowMs: number): void {
    if (this.#channels.some(({ loop }) => loop.exercise)) return
    const due = this.#own.find(({ loop, limits }) => wantsExercise(loop, limits))
    if (due) due.loop = startExercise(due.loop, nowMs)
  }

  #stepSource(isLocked: boolean, hasFrost: boolean, nowMs: number): void {
    const others = this.#requests.sum(nowMs)
    if (isLocked) this.#source.stop(nowMs)
    else this.#source.step((channels) => this.#water(channels, nowMs), { others, hasFrost }, nowMs)
    this.#requestHeat(nowMs)
  }

  /** What the loops of this gateway ask of the heat source. */
  heatRequest(): HeatRequest {
    const { loops, areaM2 } = this.#water(null, this.#parts.clock.monotonicMs())
    return { loops: this.#lock.reason === null ? loops : 0, area_m2: areaM2 }
  }

  get hasBoiler(): boolean {
    return this.#source.hasBoiler
  }

  get isSourceShared(): boolean {
    return this.#config?.source_owner !== undefined
  }

  /** The gateway that works the relay of the heat source hears it on the device broker, also without the service. */
  #requestHeat(nowMs: number): void {
    const owner = this.#config?.source_owner
    if (owner === undefined || owner === this.#id) return
    const text = JSON.stringify(this.heatRequest())
    if (this.#requested?.text === text && nowMs - this.#requested.atMs < REQUEST_EVERY_MS) return
    this.#requested = { text, atMs: nowMs }
    this.#parts.publish({ topic: requestTopic(owner, this.#id), payload: text })
  }

  #followConfig(): void {
    this.#limitChannels()
    this.#watchChannels()
    this.#frost.watch(Object.values(this.#config?.sensors ?? {}).flat())
    const owner = this.#config?.source_owner
    this.#source.leaveToOther(owner !== undefined && owner !== this.#id)
  }

  get #id(): string {
    return this.#parts.settings.service?.gatewayId ?? ''
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
    for (const channel of this.#own) {
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

  #limitChannels(): void {
    const days = this.#config?.exercise_days ?? DEFAULT_EXERCISE_DAYS
    for (const [i, channel] of this.#channels.entries())
      channel.limits = limitsOf(channel.settings, {
        minMs: this.#config ? this.#config.min_open_s * 1000 : DEFAULT_MIN_MS,
        exerciseAfterMs: days === 0 ? null : days * DAY_MS,
        source: this.#parts.settings.source.limits,
        phase: i / this.#channels.length,
      })
  }

  #watchChannels(): void {
    const nowMs = this.#parts.clock.monotonicMs()
    for (const channel of this.#channels) {
      const isWatched = this.#config?.watched?.includes(channel.settings.channel) ?? false
      if (isWatched === channel.isWatched) continue
      channel.isWatched = isWatched
      channel.loop = isWatched ? watchedLoop(channel, nowMs) : newLoop(this.#wish(channel, nowMs), nowMs, { idleMs: 0 })
    }
  }

  #fallbackAfterMs({ valves }: PowerCommand): number {
    return 1000 * (this.#config?.fallback.after_s ?? fallbackAfterS(valves.map(({ window_s }) => window_s)))
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
    const asker = { replyTo: replyTopic(all), id }
    return switchOf({ name, settings, asker, isAutoOffProven: () => isAutoOffProven(settings), publish, log })
  }

  /** Those that no other thermostat works. */
  get #own(): Channel[] {
    return this.#channels.filter(({ isWatched }) => !isWatched)
  }

  get #relays(): Switch[] {
    return [...this.#channels.map(({ relay }) => relay), ...this.#source.relays]
  }
}

/** An actuator of before a restart of the machine, whose clock began anew. */
const shifted = (actuator: KeptActuator, byMs: number): Actuator => ({
  ...actuator,
  turnedMs: actuator.turnedMs === null ? Number.NEGATIVE_INFINITY : actuator.turnedMs + byMs,
  atMs: actuator.atMs + byMs,
})

const seconds = (ms: number) => Math.round(ms / 100) / 10
