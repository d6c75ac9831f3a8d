import { type Ack, fallbackAfterS, type GatewayConfig, type HeldOff, type PowerCommand } from '@hypocaust/domain'
import { DAY_MS, FROST } from '@hypocaust/domain/facts'
import type { Heard } from '../adapters/adapter.ts'
import { ageMs, type Clock, type Moment, momentNow } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Store } from '../base/store.ts'
import type { GatewaySettings } from '../config/settings.ts'
import type { Duty } from '../laws/windows.ts'
import type { RelayOutput } from '../valves/driver.ts'
import type { Channel } from './channel.ts'
import { dutyFor, type InForce, judge } from './commands.ts'
import type { Cooling } from './cooling.ts'
import { Frost } from './frost.ts'

/** The broker keeps configuration and command and sends them as soon as the gateway has subscribed. */
const FIRST_COMMAND_WITHIN_MS = 30_000

/** A service that has been silent for so long no longer says that the source cools. */
const COOLS_FOR_MS = 7 * DAY_MS

const HELD_OFF: Record<HeldOff, (channel: number) => string> = {
  auto_off_unproven: (channel) => `prove its auto-off with hypocaust gateway test --auto-off --channel ${channel}`,
  no_floor_probe: () => 'its floor probe has not reported for 30 minutes. Check the sensor and its id in floor_probe',
  floor_limit: () => 'its floor has reached max_c of floor_probe',
  dew_point: () => 'the water or the floor is too near the dew point of the room',
  humidity_unknown: () => 'no sensor of its room has reported its humidity for 30 minutes',
  supply_unknown: () => 'flow_temperature has not been reported for 15 minutes',
}

export interface DutyParts {
  settings: GatewaySettings
  clock: Clock
  store: Pick<Store, 'get' | 'put'>
  isClockOk(): boolean
  isAutoOffProven(relay: RelayOutput): boolean
  log: Log
  cooling: Cooling
  /** A pipe may freeze at another gateway that shares the heat source. */
  othersHaveFrost(nowMs: number): boolean
}

type KeptCommand = { command: PowerCommand; arrived: Moment }

/** What each loop is to do: the command while it is valid, else the fallback; open in frost, off where it is held off. */
export class Duties {
  readonly #parts: DutyParts
  readonly #frost: Frost
  #config: GatewayConfig | null = null
  #inForce: InForce | null = null
  #startedMs = 0
  /** When the last command came, also one that is no longer in force. */
  #commandedMs = 0

  constructor(parts: DutyParts) {
    this.#parts = parts
    this.#frost = new Frost(parts)
  }

  get config(): GatewayConfig | null {
    return this.#config
  }

  /** What is kept on disk is taken up. */
  start(): void {
    const { clock, store } = this.#parts
    this.#config = store.get<GatewayConfig>('config') ?? null
    this.#startedMs = clock.monotonicMs()
    this.#resumeCommand()
    this.#frost.start()
    this.#watchSensors()
  }

  /** The service's configuration, on disk before anything relies on it. */
  configure(config: GatewayConfig): void {
    if (JSON.stringify(config) !== JSON.stringify(this.#config)) this.#parts.store.put('config', config)
    this.#config = config
    this.#watchSensors()
  }

  command(command: PowerCommand): Ack {
    const { clock, store, log } = this.#parts
    const verdict = this.#judge(command, this.#inForce, clock.monotonicMs())
    if (verdict.ack.why) log(`command ${command.epoch}/${command.seq} ${verdict.ack.result}: ${verdict.ack.why}`)
    if (verdict.inForce) {
      this.#inForce = verdict.inForce
      this.#commandedMs = clock.monotonicMs()
      store.put('command', { command, arrived: momentNow(clock) } satisfies KeptCommand)
    }
    return verdict.ack
  }

  /** Whether this is the command in force. */
  follows({ epoch, seq }: Pick<PowerCommand, 'epoch' | 'seq'>): boolean {
    const inForce = this.#inForce
    return inForce?.epoch === epoch && inForce.seq === seq && this.#parts.clock.monotonicMs() < inForce.untilMs
  }

  hear(reading: Heard): void {
    this.#frost.hear(reading)
    this.#parts.cooling.hear(reading)
  }

  /** Until then nothing moves: which valves another thermostat works, and which are to stay closed, may have changed. */
  waitsForCommand(nowMs: number): boolean {
    return this.#inForce === null && nowMs - this.#startedMs < FIRST_COMMAND_WITHIN_MS
  }

  /** As commanded, without fallback. */
  commanded(channel: number, windowMs: number, nowMs: number): Duty {
    return dutyFor(channel, this.#inForce, null, windowMs, nowMs)
  }

  of(channel: Channel, nowMs: number): Duty {
    // What a room needs of warm water without the service says nothing of cold water.
    const isCooled = channel.isWater && this.cools(nowMs)
    const config = isCooled || this.waitsForCommand(nowMs) ? null : this.#config
    const duty = dutyFor(channel.settings.channel, this.#inForce, config, channel.windowMs, nowMs)
    const shut = isCooled ? this.#shutToCooling(channel, nowMs) : this.#heldOff(channel, nowMs)
    const isCold = this.isCold(channel, nowMs)
    const isLimited = isCold && (shut === 'floor_limit' || shut === 'no_floor_probe')
    const held = isLimited ? null : shut
    channel.isCooled = isCooled
    if (held !== channel.held) this.#logHeld(channel, held)
    if (held !== null) return { ...duty, power: 0 }
    if (isCold) return { ...duty, power: isLimited ? FROST.limitedShare : 1 }
    // What was meant for warm water is nothing for cold water, and the other way round.
    const isMeant = duty.source !== 'command' || !channel.isWater || this.#inForce?.cools === isCooled
    return isMeant ? duty : { ...duty, power: 0 }
  }

  /** How far the room is below the upper edge of its comfort band; null where the service does not say. */
  headroomK({ settings }: Channel): number | null {
    return this.#inForce?.valves.get(settings.channel)?.headroomK ?? null
  }

  /** Frost does not wait for the service. */
  isCold({ settings }: Channel, nowMs: number): boolean {
    if (!this.#config || this.#config.frost_protection === false) return false
    return this.#frost.isCold(this.#config.sensors?.[settings.channel] ?? [], nowMs)
  }

  /**
   * Whether cold water may flow: by the last command, however old, by the configuration, or as the source reports. Frost
   * comes first, also that of another gateway on the same source.
   */
  cools(nowMs: number): boolean {
    const isSaid = this.#inForce?.cools === true || this.#config?.cools === true
    const isReported = this.#parts.cooling.reported === true
    return (isReported || (isSaid && nowMs - this.#commandedMs < COOLS_FOR_MS)) && !this.#hasFrost(nowMs)
  }

  /** The sensors of the rooms of these channels. */
  sensorsOf(channels: readonly Channel[]): string[] {
    return channels.flatMap(({ settings }) => this.#config?.sensors?.[settings.channel] ?? [])
  }

  #hasFrost(nowMs: number): boolean {
    if (this.#parts.othersHaveFrost(nowMs)) return true
    if (!this.#config || this.#config.frost_protection === false) return false
    return this.#frost.isCold(Object.values(this.#config.sensors ?? {}).flat(), nowMs)
  }

  #shutToCooling(channel: Channel, nowMs: number): HeldOff | null {
    const floorC = channel.probe?.temperatureC(nowMs) ?? null
    const sensorIds = this.sensorsOf([channel])
    return this.#parts.cooling.shuts({ sensorIds, floorC, wasShut: channel.held !== null }, nowMs)
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

  #watchSensors(): void {
    const sensorIds = Object.values(this.#config?.sensors ?? {}).flat()
    this.#frost.watch(sensorIds)
    this.#parts.cooling.watch(sensorIds)
  }

  #resumeCommand(): void {
    const { store, clock, isClockOk } = this.#parts
    const kept = store.get<KeptCommand | null>('command')
    const age = kept ? ageMs(kept.arrived, clock, isClockOk()) : null
    this.#commandedMs = this.#startedMs - (age ?? 0)
    if (!kept || age === null) return
    const { inForce } = this.#judge(kept.command, null, this.#startedMs - age)
    if (inForce && inForce.untilMs > this.#startedMs) this.#inForce = inForce
  }

  #judge(command: PowerCommand, last: InForce | null, monoMs: number) {
    const channels = new Set(this.#parts.settings.channels.map(({ channel }) => channel))
    const windowsS = command.valves.map(({ window_s }) => window_s)
    const fallbackAfterMs = 1000 * (this.#config?.fallback.after_s ?? fallbackAfterS(windowsS))
    return judge(command, { last, channels, monoMs, fallbackAfterMs })
  }
}
