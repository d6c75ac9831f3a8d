import {
  airFrom,
  type Decision,
  type Forecast,
  fitRoom,
  type RoomControl,
  type Slot,
  stepRoom,
} from '@hypocaust/control'
import { type FloorType, type NightMode, programmeOfNight } from '@hypocaust/domain'
import { HOUR_MS } from '@hypocaust/domain/facts'
import {
  AirSensor,
  type Boundary,
  type Climate,
  type RoomPhysics,
  roomPhysics,
  seededRandom,
  settledState,
  stepRoomState,
  sunPosition,
  verticalWm2,
  weatherAt,
} from '@hypocaust/simulator'
import { expect, test } from 'vitest'
import { gistOf, isWorthKeeping } from '../src/house/heating/writes.ts'
import type { RoomFacts, State } from '../src/people/alerts/facts.ts'
import { heatWithoutEffect, LONGEST_LOOK_BACK_MS, targetUnreachable } from '../src/people/alerts/heat.ts'

const STEP_S = 300
const START_MS = Date.UTC(2026, 0, 12)
const OSLO = { latDeg: 59.91, lngDeg: 10.75 }
const WINTER: Climate = { seed: 7, place: OSLO, meanC: -2, seasonSwingK: 0, clearness: 0 }

interface Story {
  floorType: FloorType
  hours: number
  startC: number
  targetC?: number
  nightMode?: NightMode
  climate?: Climate
  /** How the house differs from the book's. */
  physics?: Partial<RoomPhysics>
  /** Of the floor as it is, where it was set up as another. */
  trueFloor?: FloorType
  supplyAt?: (hour: number) => Boundary['supply']
}

interface Seen {
  hour: number
  target: State
  heat: State
  notices: Decision['notices']
}

/** A room of the simulator under the real control, judged every half hour as the service would from what it keeps. */
function live(story: Story): Seen[] {
  const { floorType, hours, startC, targetC = 21, nightMode = null, climate = WINTER } = story
  const plant: RoomPhysics = { ...roomPhysics(story.trueFloor ?? floorType, 180), ...story.physics }
  const sensor = new AirSensor(startC, seededRandom(3))
  const state = settledState(startC)
  const decisions: Decision[] = []
  const slots: Slot[] = []
  const seen: Seen[] = []
  let control: RoomControl | null = null
  let reading: { airC: number; atMs: number } | null = null
  let power = 0
  for (let nowMs = START_MS; nowMs < START_MS + hours * HOUR_MS; nowMs += STEP_S * 1000) {
    const hour = (nowMs - START_MS) / HOUR_MS
    const weather = weatherAt(climate, nowMs)
    const boundary: Boundary = {
      outdoorC: weather.outdoorC,
      windMs: weather.windMs,
      solarGainWm2: plant.solarShare * verticalWm2(sunPosition(nowMs, OSLO), weather.solarWm2, plant.facadeDeg),
      internalWm2: 2.5,
      neighbourC: 20,
      airChange: 1,
      supply: story.supplyAt?.(hour) ?? 'running',
    }
    stepRoomState(state, plant, boundary, power, STEP_S)
    for (let s = 0; s < STEP_S; s += 60) {
      const packet = sensor.advance(60, state.airC, weather.outdoorC, { lossShare: 0.1, silent: false })
      if (packet) reading = { airC: packet.temperature, atMs: nowMs }
    }
    const result = stepRoom(control, {
      nowMs,
      floorType,
      location: { lat: OSLO.latDeg, lng: OSLO.lngDeg },
      settings: {
        targetC,
        bandK: 0.5,
        strategy: 'hold',
        programme: nightMode && programmeOfNight(nightMode),
        override: null,
        away: null,
        presetMode: 'none',
        steering: { kind: 'automatic' },
        maxFloorC: 29,
        frostProtection: true,
        timeZone: 'Europe/Oslo',
      },
      air: airFrom(reading, nowMs),
      floorProbeC: null,
      weather,
      forecast: forecastOf(climate, nowMs),
      appliedPower: null,
    })
    control = result.state
    power = result.power
    if (result.slot) slots.push(result.slot)
    // As every night.
    if (hour > 0 && hour % 24 === 0) control = fitRoom(control, slots)
    const last = decisions.at(-1)
    const kept = { keptAt: last?.atMs ?? null, keptGist: last ? gistOf(last) : null }
    if (isWorthKeeping(result.decision, kept)) decisions.push(result.decision)
    if (hour % 0.5 !== 0) continue
    const facts: RoomFacts = {
      id: 'room',
      name: 'Room',
      floorType,
      targetC,
      bandK: 0.5,
      coolingTargetC: null,
      batteryPct: null,
      measuredAt: nowMs,
      allHeardAt: nowMs,
      watchedSince: null,
      mould: null,
      relays: [],
      decisions: decisions.filter(({ atMs }) => atMs > nowMs - LONGEST_LOOK_BACK_MS),
    }
    seen.push({
      hour,
      target: targetUnreachable(facts, nowMs),
      heat: heatWithoutEffect(facts, nowMs),
      notices: result.decision.notices,
    })
  }
  return seen
}

const forecastOf = (climate: Climate, nowMs: number): Forecast => {
  const startMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS
  return { startMs, hourly: Array.from({ length: 60 }, (_, h) => weatherAt(climate, startMs + h * HOUR_MS)) }
}

const alarmsOf = (seen: Seen[]) => seen.filter(({ target, heat }) => target === 'holds' || heat === 'holds')
const NIGHT: NightMode = { from: '22:30', to: '05:30', setback: 3 }

test.each(['screed', 'dry'] as const)(
  'ordinary days on %s, with a setback every night, are without any alert',
  (floorType) => {
    expect(alarmsOf(live({ floorType, hours: 96, startC: 20, nightMode: NIGHT }))).toEqual([])
  },
)

test('a cold house that is warming up slowly is left to it', () => {
  expect(alarmsOf(live({ floorType: 'screed', hours: 72, startC: 10 }))).toEqual([])
})

test('a floor too small for a cold snap is reported as such, and so is the end of it', () => {
  const coldSnap = { startMs: START_MS + 48 * HOUR_MS, fallS: 12 * 3600, dropK: 26, lastsS: 36 * 3600 }
  const { heat } = roomPhysics('screed', 180)
  const weak = { airLossWk: 1.1, wallLossWk: 0.7, heat: { ...heat, pipeWk: 6, supplyOffsetK: 0 } }
  const climate = { ...WINTER, meanC: 6, coldSnap }
  const seen = live({ floorType: 'screed', hours: 120, startC: 20.5, climate, physics: weak })
  const first = seen.find(({ target }) => target === 'holds')?.hour
  expect(first).toBeGreaterThan(48 + 9)
  expect(first).toBeLessThan(48 + 18)
  expect(seen.some(({ target, hour }) => target === 'gone' && hour > 84)).toBe(true)
  expect(seen.filter(({ heat }) => heat === 'holds')).toEqual([])
})

test('a failed heat source is heat without effect and not a target too high, and its repair is seen', () => {
  const supplyAt = (hour: number) => (hour >= 48 && hour < 72 ? 'failed' : 'running')
  const seen = live({ floorType: 'screed', hours: 84, startC: 20.5, supplyAt })
  const first = seen.find(({ heat }) => heat === 'holds')?.hour
  expect(first).toBeGreaterThan(48 + 4)
  expect(first).toBeLessThan(48 + 12)
  expect(seen.filter(({ target }) => target === 'holds')).toEqual([])
  expect(seen.at(-1)?.heat).toBe('gone')
})

test('a floor of another kind than was set up may puzzle the control, but alarms nobody', () => {
  expect(alarmsOf(live({ floorType: 'dry', trueFloor: 'slab', hours: 48, startC: 17 }))).toEqual([])
})

test('a room that loses twice the heat of the book is learned, not held for one without heat', () => {
  const { airLossWk, wallLossWk } = roomPhysics('screed', 180)
  const leaky = { airLossWk: 2 * airLossWk, wallLossWk: 2 * wallLossWk }
  const seen = live({ floorType: 'screed', hours: 96, startC: 20, physics: leaky })
  expect(alarmsOf(seen)).toEqual([])
  expect(seen.filter(({ hour, notices }) => hour >= 72 && notices.includes('boiler-off'))).toEqual([])
})
