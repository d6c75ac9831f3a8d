import {
  type Boundary,
  type Climate,
  drawnApart,
  type Place,
  perturbed,
  type RoomPhysics,
  roomPhysics,
  seededRandom,
  smoothNoise,
  sunPosition,
  throttledWk,
  verticalWm2,
  type Weather,
  weatherAt,
} from '@hypocaust/simulator'
import type { PlantChoice } from './plant.ts'
import { DAY_S, disturb, type Scenario, scenarioNamed, WINTER_MS } from './scenarios.ts'

export const PLACE: Place = { latDeg: 51, lngDeg: 0 }
/** The weather is looked at this often: it changes slower. */
export const WEATHER_STEP_S = 300
const SPREAD = 0.3

/** One house in one weather: fixed by its choice, shared by all controllers that are compared on it. */
export type World = {
  choice: PlantChoice
  scenario: Scenario
  startMs: number
  climate: Climate
  physics: RoomPhysics
  boundary(nowS: number): Boundary
  /** What was reported and forecast at a moment, the same for all controllers. */
  reports: Map<number, WeatherReport>
}

export type WeatherReport = { now: Weather; hourly: Weather[] }

const SEASONS = {
  winter: { startMs: WINTER_MS, meanC: 3, seasonSwingK: 0, clearness: 0 },
  frost: { startMs: WINTER_MS, meanC: -5, seasonSwingK: 0, clearness: 0 },
  shoulder: { startMs: Date.UTC(2026, 3, 6), meanC: 9.5, seasonSwingK: 0, clearness: 0.7 },
  whole: { startMs: Date.UTC(2025, 9, 20), meanC: 9.5, seasonSwingK: 8.5, clearness: 0.2 },
}

export function seasonStartMs(scenario: string): number {
  return SEASONS[scenarioNamed(scenario)?.season ?? (scenario.includes('shoulder') ? 'shoulder' : 'winter')].startMs
}

export function createWorld(choice: PlantChoice): World {
  const scenario = scenarioNamed(choice.scenario)
  if (!scenario) throw new Error(`No such scenario: ${choice.scenario}`)
  return worldOf(choice, scenario)
}

/** As `createWorld`, with a scenario that is not one of the list. */
export function worldOf(choice: PlantChoice, scenario: Scenario): World {
  const season = SEASONS[scenario.season]
  const random = seededRandom(1000 * choice.seed + choice.floorType.length * 17 + choice.floorType.charCodeAt(1))
  const facadeDeg = [90, 180, 270][Math.floor(3 * random.uniform())] ?? 180
  const house = perturbed(roomPhysics(choice.floorType, facadeDeg), SPREAD, random)
  // Drawn last, so that a house is the same in all else.
  const physics = installed(scenario.isDrawnApart ? drawnApart(house, SPREAD, random) : house, scenario)
  const climate = climateOf(choice, scenario)
  return {
    choice,
    scenario,
    startMs: season.startMs,
    climate,
    physics,
    boundary: boundaries(choice, scenario, climate, physics, season.startMs),
    reports: new Map(),
  }
}

/** What the installer made of it. A mat has no water that could be too little or too cold. */
function installed(physics: RoomPhysics, { airShare = 0, flow = 1, supplyK = 0 }: Scenario): RoomPhysics {
  const { heat } = physics
  if (heat.kind === 'electric') return { ...physics, airShare }
  const pipeWk = flow === 1 ? heat.pipeWk : throttledWk(heat.pipeWk, flow)
  return { ...physics, airShare, heat: { ...heat, pipeWk, supplyOffsetK: heat.supplyOffsetK + supplyK } }
}

function climateOf({ seed }: PlantChoice, scenario: Scenario): Climate {
  const { startMs, meanC, seasonSwingK, clearness } = SEASONS[scenario.season]
  const wild: Climate = { seed: 100 * seed, place: PLACE, meanC, seasonSwingK, clearness }
  const calmed = scenario.season === 'whole' ? wild : { ...wild, meanC: 2 * meanC - scoredWeekC(wild, startMs) }
  const { coldSnap } = scenario
  if (!coldSnap) return calmed
  const snapMs = startMs + coldSnap.day * DAY_S * 1000
  return { ...calmed, coldSnap: { startMs: snapMs, fallS: 64_800, dropK: 12, lastsS: 3 * DAY_S } }
}

/** A seed changes the course of the weather, not the season: every scored week is as warm on average. */
function scoredWeekC(climate: Climate, startMs: number): number {
  let sum = 0
  for (let hour = 7 * 24; hour < 14 * 24; hour++) sum += weatherAt(climate, startMs + hour * 3_600_000).outdoorC
  return sum / (7 * 24)
}

function boundaries(choice: PlantChoice, scenario: Scenario, climate: Climate, physics: RoomPhysics, startMs: number) {
  const known: Boundary[] = []
  return (nowS: number): Boundary => {
    const index = Math.floor(nowS / WEATHER_STEP_S)
    let boundary = known[index]
    if (!boundary) {
      const slotS = index * WEATHER_STEP_S
      boundary = disturb(scenario, slotS, calm(choice, climate, physics, startMs, slotS))
      known[index] = boundary
    }
    return boundary
  }
}

function calm(choice: PlantChoice, climate: Climate, physics: RoomPhysics, startMs: number, nowS: number): Boundary {
  const weather = weatherAt(climate, startMs + nowS * 1000)
  const sun = sunPosition(startMs + nowS * 1000, PLACE)
  const hour = (nowS % DAY_S) / 3600
  const home = hour >= 6 && hour < 22.5 ? 3.5 : 2
  return {
    outdoorC: weather.outdoorC,
    windMs: weather.windMs,
    solarGainWm2: physics.solarShare * verticalWm2(sun, weather.solarWm2, physics.facadeDeg),
    internalWm2: Math.max(0, home + 1.5 * smoothNoise(choice.seed + 77, nowS / 7200)),
    neighbourC: 19.7 + 0.5 * smoothNoise(choice.seed + 78, nowS / DAY_S),
    airChange: 1,
    supply: 'running',
  }
}
