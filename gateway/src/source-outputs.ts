import type { SourceState } from './align.ts'
import type { SourceSettings } from './config/settings.ts'
import { OFF, stepBoiler, stepBoth, stepPump, type Water } from './source.ts'
import type { RelayOutput } from './valves/driver.ts'
import type { Switch } from './valves/relay.ts'

const NO_LIMITS = { minRunMs: 0, minOffMs: 0, minLoops: 0, minAreaM2: 0 }

/** The relays of pump and boiler. */
export class SourceOutputs {
  readonly #settings: SourceSettings
  readonly #pump: Switch | null
  readonly #boiler: Switch | null
  #pumpState: SourceState = OFF
  #boilerState: SourceState = OFF

  constructor(settings: SourceSettings, relay: (output: 'both' | 'pump' | 'boiler', relay: RelayOutput) => Switch) {
    this.#settings = settings
    if (settings.kind === 'both') {
      this.#pump = relay('both', settings.relay)
      this.#boiler = null
    } else {
      this.#pump = settings.pump && relay('pump', settings.pump)
      this.#boiler = settings.boiler && relay('boiler', settings.boiler)
    }
  }

  get relays(): Switch[] {
    return [this.#pump, this.#boiler].filter((relay) => relay !== null)
  }

  /** What the loops must wait for and keep going: the boiler, else the pump. */
  get state(): SourceState {
    return this.#boiler ? this.#boilerState : this.#pumpState
  }

  get isPumpOn(): boolean {
    return this.#pumpState.on
  }

  get isBoilerOn(): boolean {
    return this.#settings.kind === 'both' ? this.#pumpState.on : this.#boilerState.on
  }

  /** Whether open valves let water through: a pump of ours reports that it runs, or the pump is not ours. */
  movesWater(nowMs: number): boolean {
    return this.#pump === null || this.#pump.isOpen(nowMs)
  }

  step(water: Water, nowMs: number): void {
    const settings = this.#settings
    if (settings.kind === 'both') {
      this.#pumpState = stepBoth(this.#pumpState, water, settings, nowMs)
    } else {
      if (settings.pump) this.#pumpState = stepPump(this.#pumpState, water, settings.pump, nowMs)
      if (settings.boiler) this.#boilerState = stepBoiler(this.#boilerState, water, settings.limits ?? NO_LIMITS, nowMs)
    }
    this.#switch(nowMs)
  }

  /** At once, whatever the minimum times are. */
  stop(nowMs: number): void {
    const off = (state: SourceState) => (state.on ? { on: false, sinceMs: nowMs } : state)
    this.#pumpState = off(this.#pumpState)
    this.#boilerState = off(this.#boilerState)
    this.#switch(nowMs)
  }

  #switch(nowMs: number): void {
    this.#pump?.set(this.#pumpState.on, nowMs)
    this.#boiler?.set(this.#boilerState.on, nowMs)
  }
}
