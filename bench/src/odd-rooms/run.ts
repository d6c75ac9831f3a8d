import {
  FITTED_DAYS,
  fitRoom,
  LEARNED,
  type RoomControl,
  type RoomSettings,
  type Slot,
  stepRoom,
} from '@hypocaust/control'
import { MAX_FLOOR_C } from '@hypocaust/domain'
import {
  AirSensor,
  type Climate,
  forecastAt,
  type RoomState,
  scoredC,
  seededRandom,
  settledState,
  stepRoomState,
  weatherAt,
} from '@hypocaust/simulator'
import { boundaryOf } from '../boundary.ts'
import type { OddRoom } from './room.ts'

const START_MS = Date.UTC(2026, 0, 12)
const STEP_S = 300
const DAY_STEPS = 86_400 / STEP_S
const FIT_AT_STEP = (3 * 3600) / STEP_S
const LEARNING_DAYS = 7
const PLACE = { latDeg: 51, lngDeg: 0 }
const TARGET_C = 21
const BAND_K = 0.5
/** A room is shut when it got nothing for half a day although it was this cold. */
const SHUT_STEPS = DAY_STEPS / 2
const SHUT_POWER = 0.02
const COLD_K = 2

/** Kelvin-hours below the band after the first week, by what is measured and by what is felt. */
export type Comfort = { coldKh: number; feltColdKh: number }
export type OddResult = Comfort & {
  number: number
  entered: string
  airShare: number
  learnedShare: number
  /** Half days without heat in the cold. */
  shut: number
  /** How often the model was called broken. */
  broken: number
  coldestC: number
  thermostat: Comfort
}

const SETTINGS: RoomSettings = {
  targetC: TARGET_C,
  bandK: BAND_K,
  strategy: 'hold',
  programme: null,
  override: null,
  away: null,
  presetMode: 'none',
  steering: { kind: 'automatic' },
  maxFloorC: MAX_FLOOR_C,
  frostProtection: true,
  timeZone: 'UTC',
}

type Seen = { nowMs: number; airC: number; weather: ReturnType<typeof weatherAt> }

/** Four weeks of the room under the law, and under a thermostat that opens fully below its target. */
export function runOdd(room: OddRoom, days: number): OddResult {
  const law = new Law(room)
  const { comfort, shut, coldestC } = live(room, days, (seen) => law.power(seen))
  const thermostat = live(room, days, ({ airC }) => (airC < TARGET_C ? 1 : 0)).comfort
  return {
    ...{ number: room.number, entered: room.entered, airShare: room.physics.airShare, learnedShare: law.learnedShare },
    ...{ ...comfort, shut, broken: law.broken, coldestC, thermostat },
  }
}

class Law {
  state: RoomControl | null = null
  broken = 0
  private slots: Slot[] = []
  private step = 0
  private readonly room: OddRoom
  private readonly climate: Climate

  constructor(room: OddRoom) {
    this.room = room
    this.climate = climateOf(room)
  }

  get learnedShare(): number {
    return this.state?.learned[LEARNED.indexOf('airShare')] ?? 0
  }

  power({ nowMs, airC, weather }: Seen): number {
    const hourly = Array.from({ length: 54 }, (_, hour) => forecastAt(this.climate, nowMs, nowMs + hour * 3_600_000))
    const wasBroken = this.state?.brokenMs
    const result = stepRoom(this.state, {
      nowMs,
      floorType: this.room.entered,
      location: { lat: PLACE.latDeg, lng: PLACE.lngDeg },
      settings: SETTINGS,
      air: { kind: 'fresh', airC, ageS: 0 },
      floorProbeC: null,
      weather,
      forecast: { startMs: nowMs, hourly },
      appliedPower: null,
    })
    if (result.state.brokenMs && result.state.brokenMs !== wasBroken) this.broken += 1
    if (result.slot) this.slots = [...this.slots, result.slot].slice(-FITTED_DAYS * 48)
    this.step += 1
    const isFitted = this.step % DAY_STEPS === FIT_AT_STEP && this.step > DAY_STEPS
    this.state = isFitted ? fitRoom(result.state, this.slots) : result.state
    return result.power
  }
}

const climateOf = ({ seed, meanC }: OddRoom): Climate => ({ seed, place: PLACE, meanC, seasonSwingK: 0, clearness: 0 })

function live(room: OddRoom, days: number, powerOf: (seen: Seen) => number) {
  const { physics } = room
  const climate = climateOf(room)
  const state: RoomState = settledState(19.5)
  const sensor = new AirSensor(state.airC, seededRandom(room.seed * 31 + 5))
  const comfort = { coldKh: 0, feltColdKh: 0 }
  let [shut, unheatedSteps, coldestC, airC] = [0, 0, state.airC, state.airC]
  let power = 0
  for (let step = 0; step < days * DAY_STEPS; step++) {
    const nowMs = START_MS + step * STEP_S * 1000
    const weather = weatherAt(climate, nowMs)
    stepRoomState(state, physics, boundaryOf(physics, PLACE, nowMs, weather), power, STEP_S)
    airC = sensor.advance(STEP_S, state.airC, weather.outdoorC, { lossShare: 0.1, silent: false })?.temperature ?? airC
    power = powerOf({ nowMs, airC, weather })
    unheatedSteps = power < SHUT_POWER && state.airC < TARGET_C - COLD_K ? unheatedSteps + 1 : 0
    if (unheatedSteps === SHUT_STEPS) {
      shut += 1
      unheatedSteps = 0
    }
    if (step < LEARNING_DAYS * DAY_STEPS) continue
    coldestC = Math.min(coldestC, state.airC)
    comfort.coldKh += (Math.max(0, TARGET_C - BAND_K - state.airC) * STEP_S) / 3600
    comfort.feltColdKh += (Math.max(0, TARGET_C - BAND_K - scoredC(state)) * STEP_S) / 3600
  }
  return { comfort, shut, coldestC }
}
