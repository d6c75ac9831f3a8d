import type { HeatRequest } from '@hypocaust/domain'
import { ageMs, type Clock, type Moment, momentAt } from '../base/clock.ts'
import type { Store } from '../base/store.ts'
import type { CoolingSettings, PumpSettings, SourceSettings } from '../config/settings.ts'
import type { SourceState } from '../laws/align.ts'
import { stepBoiler, stepBoth, stepPump, type Water, withOthers } from '../laws/source.ts'
import type { RelayOutput } from '../valves/driver.ts'
import type { Switch } from '../valves/relay.ts'

const NO_LIMITS = { minRunMs: 0, minOffMs: 0, minLoops: 0, minAreaM2: 0 }

interface SourceOutputParts {
  settings: SourceSettings
  cooling: CoolingSettings | null
  clock: Clock
  store: Pick<Store, 'get' | 'put'>
  isClockOk(): boolean
  relay(output: string, name: string, relay: RelayOutput): Switch
}

interface Output {
  id: string
  relay: Switch
  state: SourceState
}

/** Since when an output has been on or off. */
type Kept = Record<string, { on: boolean; since: Moment; isClockOk: boolean }>

/** The relays of pumps and boiler. Their times are kept on disk: a restart makes no run and no pause shorter. */
export class SourceOutputs {
  readonly #parts: SourceOutputParts
  readonly #pumps: { settings: PumpSettings; output: Output }[]
  readonly #boiler: Output | null
  /** One relay for both. */
  readonly #both: Output | null
  /** On while the source is to cool. */
  readonly #changeover: Output | null
  #kept: Kept = {}
  /** Another gateway of the building works the relay of the heat source. */
  #isShared = false
  #followed: SourceState | undefined

  constructor(parts: SourceOutputParts) {
    this.#parts = parts
    const { settings, cooling } = parts
    const output = (id: string, name: string, relay: RelayOutput): Output => ({
      id,
      relay: parts.relay(id, name, relay),
      state: { on: false, sinceMs: parts.clock.monotonicMs() },
    })
    this.#both = settings.kind === 'both' ? output('both', 'pump and boiler', settings.relay) : null
    const { pumps, boiler } = settings.kind === 'both' ? { pumps: [], boiler: null } : settings
    this.#pumps = pumps.map((pump) => ({ settings: pump, output: output(pump.id, pump.name, pump) }))
    this.#boiler = boiler && output('boiler', 'the boiler', boiler)
    const changeover = cooling?.changeover
    this.#changeover = changeover ? output('changeover', 'the changeover', changeover) : null
  }

  get relays(): Switch[] {
    return this.#outputs.map(({ relay }) => relay)
  }

  /** What the loops must wait for and keep going: the boiler, else a pump. */
  get state(): SourceState {
    const pump = this.#pumps.find(({ output }) => output.state.on) ?? this.#pumps[0]
    return (this.#both ?? this.#boiler ?? pump?.output)?.state ?? { on: false, sinceMs: Number.NEGATIVE_INFINITY }
  }

  /** What each was switched to, and what its relay reports. */
  states(nowMs: number): { id: string; isOn: boolean; reportsOn: boolean }[] {
    return this.#outputs.map(({ id, relay, state }) => ({ id, isOn: state.on, reportsOn: relay.isOpen(nowMs) }))
  }

  get hasBoiler(): boolean {
    return this.#both !== null || this.#boiler !== null
  }

  leaveToOther(isShared: boolean): void {
    this.#isShared = isShared
  }

  /** Takes up the times of before the start. Where nobody knows them, a run or pause begins now. */
  start(): void {
    const { store, clock } = this.#parts
    this.#kept = store.get<Kept>('sources') ?? {}
    const nowMs = clock.monotonicMs()
    for (const output of this.#outputs) {
      const kept = this.#kept[output.id]
      output.state = { on: kept?.on ?? false, sinceMs: nowMs - (this.#keptForMs(output) ?? 0) }
      if (kept) output.relay.presume(kept.on ? 1 : 0, nowMs)
    }
  }

  /** Each goes on from what its relay reports. */
  adopt(nowMs: number): void {
    for (const output of this.#outputs)
      if (output.relay.hasReported() && output.relay.isOpen(nowMs) !== output.state.on)
        output.state = { on: !output.state.on, sinceMs: nowMs }
    this.#keep()
  }

  /** Whether open valves of a channel let water through: a pump of ours reports that it runs, or its pump is not ours. */
  movesWater(channel: number, nowMs: number): boolean {
    if (this.#both) return this.#both.relay.isOpen(nowMs)
    const own = this.#pumps.filter(({ settings }) => settings.channels?.has(channel) ?? true)
    return own.length === 0 || own.some(({ output }) => output.relay.isOpen(nowMs))
  }

  /**
   * `water`: of these channels, or of all; `others`: what gateways that share the source ask for; `hasFrost`: a pipe may
   * freeze, so the source runs with fewer open loops than it asks for; `cools`: the water is to be cold.
   */
  step(
    water: (channels: ReadonlySet<number> | null) => Water,
    { others, hasFrost, cools }: { others: HeatRequest; hasFrost: boolean; cools: boolean },
    nowMs: number,
  ): void {
    const { settings, cooling } = this.#parts
    if (this.#changeover && this.#changeover.state.on !== cools) this.#changeover.state = { on: cools, sinceMs: nowMs }
    const asked = settings.limits ?? NO_LIMITS
    const limits = hasFrost ? { ...asked, minLoops: 0, minAreaM2: 0 } : asked
    const wanted = withOthers(water(null), others)
    for (const output of this.#outputs)
      if (output.state.on && output.relay.hasLapsed(nowMs)) output.state = { on: false, sinceMs: nowMs }
    if (settings.kind === 'both') {
      if (this.#both) this.#both.state = stepBoth(this.#both.state, wanted, { ...settings, limits }, nowMs)
    } else {
      for (const { settings: pump, output } of this.#pumps)
        output.state = stepPump(output.state, water(pump.channels), pump, nowMs)
      const hasPump = this.#pumps.length === 0 || others.loops > 0 || this.#pumps.some(({ output }) => output.state.on)
      // What asks a boiler for heat must not be asked for coolness, unless it is that kind of request.
      const requested = cools && !cooling?.usesRequest ? { ...wanted, loops: 0 } : wanted
      if (this.#boiler && (hasPump || this.#boiler.state.on))
        this.#boiler.state = stepBoiler(this.#boiler.state, requested, limits, nowMs)
    }
    this.#switch(nowMs)
  }

  /** At once, whatever the minimum times are. */
  stop(nowMs: number): void {
    // A lock says nothing of the season.
    const running = this.#outputs.filter((output) => output !== this.#changeover && output.state.on)
    for (const output of running) output.state = { on: false, sinceMs: nowMs }
    this.#switch(nowMs)
  }

  #switch(nowMs: number): void {
    const source = this.#both ?? this.#boiler
    if (source && this.#isShared) this.#follow(source, nowMs)
    this.#keep()
    for (const output of this.#outputs)
      if (!this.#isShared || output !== source) output.relay.set(output.state.on, nowMs)
  }

  /** The loops go by what the other gateway does with the relay, as far as it reports. */
  #follow(source: Output, nowMs: number): void {
    source.relay.watch(nowMs)
    if (!source.relay.isKnown(nowMs)) return
    const on = source.relay.isOpen(nowMs)
    if (on !== this.#followed?.on) this.#followed = { on, sinceMs: nowMs }
    source.state = this.#followed
  }

  /** A few bytes, written when something has changed. */
  #keep(): void {
    const { store, clock, isClockOk } = this.#parts
    const hasChanged = (output: Output) => {
      const kept = this.#kept[output.id]
      return !kept || kept.on !== output.state.on
    }
    const changed = this.#outputs.filter(hasChanged)
    if (changed.length === 0) return
    const entries = changed.map(({ id, state: { on, sinceMs } }) => [
      id,
      { on, since: momentAt(clock, sinceMs), isClockOk: isClockOk() },
    ])
    this.#kept = { ...this.#kept, ...Object.fromEntries(entries) }
    store.put('sources', this.#kept)
  }

  #keptForMs({ id }: Output): number | null {
    const { clock, isClockOk } = this.#parts
    const kept = this.#kept[id]
    return kept ? ageMs(kept.since, clock, kept.isClockOk && isClockOk()) : null
  }

  get #outputs(): Output[] {
    const single = [this.#both, this.#boiler, this.#changeover].filter((output) => output !== null)
    return [...this.#pumps.map(({ output }) => output), ...single]
  }
}
