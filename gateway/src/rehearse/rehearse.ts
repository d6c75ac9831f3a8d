import { DAY_MS, HOUR_MS } from '@hypocaust/domain/facts'
import type { GatewaySettings } from '../config/settings.ts'
import { Heating } from '../heating/heating.ts'
import type { RelayHealth, Switch } from '../valves/relay.ts'
import { type Output, type Span, summaryOf } from './summary.ts'

export interface RehearseOptions {
  settings: GatewaySettings
  hours: number
  /** The share each channel asks for; 0 for one that is not named. */
  power: ReadonlyMap<number, number>
  windowS: number
}

export interface SwitchEvent {
  at_s: number
  output: string
  on: boolean
}

export interface Rehearsal {
  outputs: Record<string, Output>
  events: SwitchEvent[]
}

const STEP_MS = 1_000
const COMMAND_EVERY_MS = 900_000
const VALID_S = 2_700
const COOL_FLOOR_C = 20
const OK: RelayHealth = { state: 'ok', stuck: null, faults: 0 }

/** A relay that follows every command at once, and reports it. */
class PerfectRelay implements Switch {
  readonly subscriptions = []
  readonly health = OK
  readonly #onSwitch: (open: boolean, nowMs: number) => void
  #open = false

  constructor(onSwitch: (open: boolean, nowMs: number) => void) {
    this.#onSwitch = onSwitch
  }

  set(open: boolean, nowMs: number): void {
    if (open !== this.#open) this.#onSwitch(open, nowMs)
    this.#open = open
  }

  isOpen(): boolean {
    return this.#open
  }

  isKnown(): boolean {
    return true
  }

  hasReported(): boolean {
    return true
  }

  hasLapsed(): boolean {
    return false
  }

  watch(): void {}
  receive(): void {}
  presume(): void {}
  ask(): void {}
  forget(): void {}
  hold(): void {}
  leave(): void {}
}

/** An actuator that is at its position at once. */
class PerfectPosition extends PerfectRelay {
  #power = 0

  aim(power: number): void {
    this.#power = power
  }

  share(): number {
    return this.isOpen() ? this.#power : 0
  }
}

/** Some hours of the real heating in simulated time, with the same powers all the while. */
export function rehearse({ settings, hours, power, windowS }: RehearseOptions): Rehearsal {
  const endMs = hours * HOUR_MS
  const spans = new Map<string, Span[]>(outputNames(settings).map((name) => [name, []]))
  const events: SwitchEvent[] = []
  let nowMs = 0
  const heating = new Heating({
    settings,
    clock: { nowMs: () => nowMs, monotonicMs: () => nowMs, bootId: () => 'rehearsal' },
    store: memory({ sources: restedSources(settings) }),
    isClockOk: () => true,
    isAutoOffProven: () => true,
    publish: () => true,
    report: () => {},
    log: () => {},
    relay: (id) => {
      const onSwitch = (on: boolean, atMs: number) => {
        for (const output of id === 'both' ? ['pump', 'boiler'] : [id]) {
          events.push({ at_s: atMs / 1000, output, on })
          turn(spans.get(output) ?? [], on, atMs)
        }
      }
      return hasPosition(settings, id) ? new PerfectPosition(onSwitch) : new PerfectRelay(onSwitch)
    },
  })
  heating.start()
  heating.devicesUp()
  const water: Record<string, number> = {}
  for (let seq = 0; nowMs <= endMs; nowMs += STEP_MS) {
    if (nowMs % COMMAND_EVERY_MS === 0) {
      hearProbes(heating, settings, nowMs)
      heating.command(commandOf(settings, power, windowS, nowMs, seq++))
    }
    heating.step()
    const flows = heating.channels.some((channel) => channel.flows(nowMs)) && nowMs < endMs
    for (const output of flows ? sourceNames(settings) : [])
      if (isOn(spans.get(output))) water[output] = (water[output] ?? 0) + STEP_MS
  }
  const flowMs: Record<string, number> = {
    ...water,
    ...Object.fromEntries(
      heating.channels.map(({ settings: { channel }, flowedMs }) => [`channel ${channel}`, flowedMs]),
    ),
  }
  const outputs = [...spans].map(([name, list]) => [name, summaryOf(list, flowMs[name] ?? 0, endMs)])
  return { outputs: Object.fromEntries(outputs), events: events.filter(({ at_s }) => at_s * 1000 < endMs) }
}

const outputNames = (settings: GatewaySettings): string[] => [
  ...settings.channels.map(({ channel }) => `channel ${channel}`),
  ...sourceNames(settings),
]

function sourceNames({ source }: GatewaySettings): string[] {
  return [
    ...(source.kind === 'both' ? ['pump'] : source.pumps.map(({ id }) => id)),
    ...(source.kind === 'both' || source.boiler ? ['boiler'] : []),
  ]
}

function commandOf(
  { channels }: GatewaySettings,
  power: ReadonlyMap<number, number>,
  windowS: number,
  nowMs: number,
  seq: number,
) {
  const valves = channels.map(({ channel }) => ({ channel, power: power.get(channel) ?? 0, window_s: windowS }))
  return { epoch: 1, seq, issued: new Date(nowMs).toISOString(), valid_s: VALID_S, valves }
}

/** All floors are cool: a probe is not what is rehearsed. */
function hearProbes(heating: Heating, { channels }: GatewaySettings, nowMs: number): void {
  for (const { floorProbe } of channels) {
    if (!floorProbe) continue
    const reading = { temperature: COOL_FLOOR_C, humidity: null, batt: null, rssi: null, measuredMs: nowMs }
    heating.heard({ id: floorProbe.sensorId, ...reading })
  }
}

/** The day begins with pumps and boiler that have rested long enough. */
function restedSources(settings: GatewaySettings) {
  const since = { bootId: 'rehearsal', monotonicMs: -DAY_MS, wallMs: -DAY_MS }
  const ids = ['both', ...outputNames(settings)]
  return Object.fromEntries(ids.map((id) => [id, { on: false, since, isClockOk: true }]))
}

function memory(values: Record<string, unknown>) {
  const kept = new Map(Object.entries(values).map(([key, value]) => [key, JSON.stringify(value)]))
  return {
    get: <T>(key: string) => (kept.has(key) ? (JSON.parse(kept.get(key) ?? '') as T) : undefined),
    put: (key: string, value: unknown) => void kept.set(key, JSON.stringify(value)),
  }
}

function turn(spans: Span[], on: boolean, atMs: number): void {
  const last = spans.at(-1)
  if (on) spans.push({ fromMs: atMs, toMs: null })
  else if (last) last.toMs = atMs
}

const hasPosition = ({ channels }: GatewaySettings, id: string): boolean =>
  channels.some(({ channel, mqtt }) => id === `channel ${channel}` && mqtt?.set && mqtt.set.kind !== 'switch')

const isOn = (spans: Span[] | undefined): boolean => spans?.at(-1)?.toMs === null
