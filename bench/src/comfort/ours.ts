import {
  type Aim,
  type Decision,
  type Energy,
  FITTED_DAYS,
  fitRoom,
  type GridLimit,
  type History,
  type RoomControl,
  type RoomSettings,
  type SourceEvidence,
  type StepInput,
  type Strategy,
  stepRoom,
  stepTowards,
  windowOf,
} from '@hypocaust/control'
import { type FloorType, MAX_FLOOR_C } from '@hypocaust/domain'
import { type Controller, STEP_S, type View } from './run.ts'
import { DAY_S } from './scenarios.ts'

const FORECAST_S = 54 * 3600
const WEATHER_EVERY_S = 900
const PLAIN_EVERY_S = 300
const FIT_AT_S = 3 * 3600
const FITTED_SLOTS = FITTED_DAYS * 48

export type OursOptions = {
  /** What the installer entered. */
  floorType: FloorType
  startMs: number
  location: { lat: number; lng: number } | null
  strategy: Strategy
  /** What is known of the cost of heat at a moment. */
  energyAt?: (nowS: number) => Energy
  /** What the grid leaves the room, as far as it is known. */
  limitsFor?: (input: StepInput, state: RoomControl | null, nowS: number) => GridLimit[]
  /** Neither fit nor plan, and a look every five minutes: the plain feedback of a rejected model, a tenth of the cost. */
  isPlain?: true
}

/** The product's law behind the benchmark's interface: the sensor, the forecast and its own commands, nothing else. */
export class Ours implements Controller {
  state: RoomControl | null = null
  decision: Decision | null = null
  /** What the last step went by. */
  input: StepInput | null = null
  /** What the other rooms of the house show of the heat source. */
  otherRooms: SourceEvidence[] = []
  private readonly options: OursOptions
  history: History = []
  private reading: { airC: number; atS: number } | null = null
  private weather: ReturnType<View['plant']['weather']> | null = null
  private weatherAtS = 0
  private energy: Energy | null = null
  private openS = 0
  private power = 0

  constructor(options: OursOptions) {
    this.options = options
  }

  step({ nowS, sensorC, plant }: View): 0 | 1 {
    const { floorType, startMs, location, strategy, isPlain } = this.options
    if (sensorC !== null) this.reading = { airC: sensorC, atS: nowS }
    if (isPlain && this.state && nowS % PLAIN_EVERY_S !== 0) return this.window(nowS, this.power, windowOf(this.state))
    if (!this.weather || nowS % WEATHER_EVERY_S === 0) {
      this.weather = plant.weather(nowS, FORECAST_S)
      this.weatherAtS = nowS
      this.energy = this.options.energyAt?.(nowS) ?? null
    }
    const toS = (ms: number) => (ms - startMs) / 1000
    const aimAt = (ms: number): Aim => {
      const { targetC, bandK, occupied } = plant.setpoint(Math.max(0, toS(ms)), nowS)
      return {
        targetC,
        lowC: targetC - bandK,
        highC: targetC + bandK,
        occupied,
        reason: occupied ? 'target' : 'programme',
      }
    }
    const ageS = this.reading ? nowS - this.reading.atS : 0
    const scheduleInputs = plant.scheduleInputs?.(nowS)
    const input: StepInput = {
      nowMs: startMs + nowS * 1000,
      floorType,
      location,
      settings: { ...SETTINGS, ...scheduleInputs, strategy },
      air: this.reading
        ? { kind: ageS <= 600 ? 'fresh' : 'stale', airC: this.reading.airC, ageS }
        : { kind: 'missing' },
      floorProbeC: null,
      weather: this.weather.now,
      forecast: { startMs: startMs + this.weatherAtS * 1000, hourly: this.weather.hourly },
      appliedPower: null,
      otherRooms: this.otherRooms,
      energy: this.energy,
    }
    const limits = this.options.limitsFor?.(input, this.state, nowS)
    const given = limits ? { ...input, limits } : input
    this.input = input
    const { power, state, slot, decision } = scheduleInputs
      ? stepRoom(this.state, given)
      : stepTowards(this.state, given, aimAt)
    this.state = state
    this.decision = decision
    if (slot) this.history = [...this.history.slice(-FITTED_SLOTS), slot]
    if (isPlain) this.state = { ...state, fit: { ...state.fit, rejected: true } }
    else if (nowS % DAY_S === FIT_AT_S) this.state = fitRoom(state, this.history)
    this.power = power
    return this.window(nowS, power, windowOf(this.state))
  }

  /** The same at this moment, with other limits and prices from now on; nothing that is kept is ever changed in place. */
  fork(changes: Pick<OursOptions, 'limitsFor' | 'energyAt'>): Ours {
    const { limitsFor: _limits, energyAt: _energy, ...options } = this.options
    const copy: Ours = Object.assign(Object.create(Ours.prototype), this)
    return Object.assign(copy, { options: { ...options, ...changes }, energy: null })
  }

  /** As the gateway does it: open at the beginning of each window, for its share. */
  private window(nowS: number, power: number, windowS: number): 0 | 1 {
    if (nowS % windowS === 0) this.openS = 0
    const open = this.openS < power * windowS - STEP_S / 2 ? 1 : 0
    this.openS += open * STEP_S
    return open
  }
}

/** The timetable is the plant's; changing the target in the settings would only make it look like a new wish. */
const SETTINGS: Omit<RoomSettings, 'strategy'> = {
  targetC: 21,
  bandK: 0.5,
  programme: null,
  override: null,
  away: null,
  presetMode: 'none',
  steering: { kind: 'automatic' },
  maxFloorC: MAX_FLOOR_C,
  frostProtection: true,
  timeZone: 'UTC',
}
