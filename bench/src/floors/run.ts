import {
  type Decision,
  FITTED_DAYS,
  fitRoom,
  type RoomControl,
  type RoomSettings,
  type Slot,
  stepRoom,
} from '@hypocaust/control'
import { type FloorType, MAX_FLOOR_C, programmeOfNight } from '@hypocaust/domain'
import {
  AirSensor,
  type Climate,
  forecastAt,
  perturbed,
  type RoomState,
  roomPhysics,
  scoredC,
  seededRandom,
  settledState,
  stepRoomState,
  weatherAt,
} from '@hypocaust/simulator'
import { boundaryOf } from '../boundary.ts'

export const CONTESTANTS = ['none', 'minimum with a probe', 'minimum without', 'timer at 6', 'base warmth'] as const
export type Contestant = (typeof CONTESTANTS)[number]
export const CLIMATES = { winter: { meanC: 0, clearness: 0.2 }, spring: { meanC: 9, clearness: 0.5 } } as const

export type FloorJob = {
  floorType: FloorType
  climate: keyof typeof CLIMATES
  seed: number
  contestant: Contestant
  days: number
  leastC: number
}

/** Of the days after the first week. */
export type FloorResult = FloorJob & {
  mornings: number
  /** Mornings at whose beginning the floor was warm. */
  warmAtSix: number
  /** Kelvin-hours below the minimum from 6 to 8. */
  coldFloorKh: number
  heatKwhM2: number
  aboveBandKh: number
  belowBandKh: number
  /** Highest surface. */
  highestC: number
  /** Root mean square of how far an estimated floor was from the real one, and the mean of what it said of its error. */
  missedK: number
  saidK: number
}

const START_MS = Date.UTC(2026, 0, 12)
const STEP_S = 300
const STEP_H = STEP_S / 3600
const DAY_STEPS = 86_400 / STEP_S
const LEARNING_DAYS = 7
const FIT_AT_STEP = (3 * 3600) / STEP_S
const PLACE = { latDeg: 51, lngDeg: 0 }
const SPREAD = 0.2
const TARGET_C = 21
const BAND_K = 0.5
const MORNING = { fromH: 6, toH: 8 }
/** A floor so close to its minimum is warm. */
const WARM_WITHIN_K = 0.2

const settingsFor = (contestant: Contestant, leastC: number): RoomSettings => ({
  targetC: TARGET_C,
  bandK: BAND_K,
  strategy: 'hold',
  programme: programmeOfNight({ from: '22:30', to: '06:00', setback: 2 }),
  override: null,
  away: null,
  presetMode: contestant === 'base warmth' ? 'high' : 'none',
  steering: { kind: 'automatic' },
  maxFloorC: MAX_FLOOR_C,
  frostProtection: true,
  timeZone: 'UTC',
  ...(contestant.startsWith('minimum') && {
    floorTimes: [{ temperature: leastC, from: '06:00', to: '08:00' }],
  }),
})

/** A bathroom in which the floor shall be warm from 6 to 8, with parameters that differ from those of the book. */
export function runFloor(job: FloorJob): FloorResult {
  const { floorType, seed, contestant, days, leastC } = job
  const random = seededRandom(100 + seed)
  const physics = perturbed(roomPhysics(floorType, 90 + 180 * random.uniform()), SPREAD, random)
  const climate: Climate = { seed, place: PLACE, seasonSwingK: 0, ...CLIMATES[job.climate] }
  const law = new Law(floorType, climate, settingsFor(contestant, leastC))
  const room: RoomState = settledState(20)
  const sensor = new AirSensor(room.airC, seededRandom(seed * 31 + 5))
  const tally = new Tally(job)
  let [power, airC] = [0, room.airC]
  for (let step = 0; step < days * DAY_STEPS; step++) {
    const nowMs = START_MS + step * STEP_S * 1000
    const weather = weatherAt(climate, nowMs)
    const heatWhM2 = stepRoomState(room, physics, boundaryOf(physics, PLACE, nowMs, weather), power, STEP_S)
    airC = sensor.advance(STEP_S, room.airC, weather.outdoorC, { lossShare: 0.1, silent: false })?.temperature ?? airC
    const floorProbeC = contestant === 'minimum with a probe' ? Math.round(10 * room.surfaceC) / 10 : null
    const { power: asked, estimate } = law.step({ nowMs, airC, floorProbeC, weather, appliedPower: power })
    const hour = (step * STEP_H) % 24
    const isTimed = contestant === 'timer at 6' && hour >= MORNING.fromH && hour < MORNING.toH && room.surfaceC < leastC
    power = isTimed ? 1 : asked
    if (step >= LEARNING_DAYS * DAY_STEPS) tally.add(hour, room, heatWhM2, estimate)
  }
  return tally.result()
}

type Sensed = {
  nowMs: number
  airC: number
  floorProbeC: number | null
  weather: ReturnType<typeof weatherAt>
  appliedPower: number
}

class Law {
  private state: RoomControl | null = null
  private slots: Slot[] = []
  private steps = 0
  private readonly floorType: FloorType
  private readonly climate: Climate
  private readonly settings: RoomSettings

  constructor(floorType: FloorType, climate: Climate, settings: RoomSettings) {
    this.floorType = floorType
    this.climate = climate
    this.settings = settings
  }

  step({ airC, ...sensed }: Sensed): Decision {
    const { nowMs } = sensed
    const hourly = Array.from({ length: 54 }, (_, hour) => forecastAt(this.climate, nowMs, nowMs + hour * 3_600_000))
    const result = stepRoom(this.state, {
      ...sensed,
      floorType: this.floorType,
      location: { lat: PLACE.latDeg, lng: PLACE.lngDeg },
      settings: this.settings,
      air: { kind: 'fresh', airC, ageS: 0 },
      forecast: { startMs: nowMs, hourly },
    })
    if (result.slot) this.slots = [...this.slots, result.slot].slice(-FITTED_DAYS * 48)
    this.steps += 1
    const isFitted = this.steps % DAY_STEPS === FIT_AT_STEP && this.steps > DAY_STEPS
    this.state = isFitted ? fitRoom(result.state, this.slots) : result.state
    return result.decision
  }
}

class Tally {
  private readonly sums
  private squaredK = 0
  private saidK = 0
  private estimates = 0
  private readonly job: FloorJob

  constructor(job: FloorJob) {
    this.job = job
    this.sums = { mornings: 0, warmAtSix: 0, coldFloorKh: 0, heatKwhM2: 0, aboveBandKh: 0, belowBandKh: 0, highestC: 0 }
  }

  add(hour: number, room: RoomState, heatWhM2: number, estimate: Decision['estimate']) {
    const { sums, job } = this
    const { surfaceC } = room
    const feltC = scoredC(room)
    const isDay = hour >= MORNING.fromH && hour < 22.5
    sums.heatKwhM2 += heatWhM2 / 1000
    sums.highestC = Math.max(sums.highestC, surfaceC)
    if (isDay) sums.aboveBandKh += Math.max(0, feltC - TARGET_C - BAND_K) * STEP_H
    if (isDay) sums.belowBandKh += Math.max(0, TARGET_C - BAND_K - feltC) * STEP_H
    if (hour >= MORNING.fromH && hour < MORNING.toH) sums.coldFloorKh += Math.max(0, job.leastC - surfaceC) * STEP_H
    if (Math.abs(hour - MORNING.fromH) < STEP_H / 2) {
      sums.mornings += 1
      if (surfaceC >= job.leastC - WARM_WITHIN_K) sums.warmAtSix += 1
    }
    if (estimate?.floorErrorK === undefined) return
    this.squaredK += (estimate.floorC - surfaceC) ** 2
    this.saidK += estimate.floorErrorK
    this.estimates += 1
  }

  result(): FloorResult {
    const count = Math.max(1, this.estimates)
    return { ...this.job, ...this.sums, missedK: Math.sqrt(this.squaredK / count), saidK: this.saidK / count }
  }
}
