import { type HeatPlan, type HeatProblem, planHeat } from '@hypocaust/control'
import { HOUR_MS, HOUR_S } from '@hypocaust/domain/facts'
import {
  type Boundary,
  type Climate,
  forecastAt,
  fullHeatWm2,
  globalHorizontalWm2,
  type RoomState,
  scoredC,
  smoothNoise,
  stepRoomState,
  storedWhM2,
  sunPosition,
  verticalWm2,
  weatherAt,
} from '@hypocaust/simulator'
import { PLAN_STEP_S, perfectProblem, unsensedStep } from './perfect.ts'
import { type Costed, meanCost } from './priced.ts'
import type { Market } from './prices.ts'
import { withRecourse } from './recourse.ts'
import { SCORED_WEEK, STEP_S } from './run.ts'
import { setpointOf } from './scenarios.ts'
import { Scorer } from './score.ts'
import { PLACE, WEATHER_STEP_S, type World } from './world.ts'

const AHEAD_S = 48 * HOUR_S
const REPLAN_S = HOUR_S
const COURSES = 6
/** After this time the weather has shown which course it takes. */
const KNOWN_S = 3 * HOUR_S

/**
 * A plan that knows the house, its state, and what people and neighbouring rooms give exactly, the prices published by
 * then, and of the weather the forecast with the true distribution of its errors: each hour the heat of two days that is
 * the cheapest on the mean of some courses that the weather may take, and that follows the one it takes.
 */
export function informedCost(world: World, market: Market, start: RoomState, perKh: number): Costed {
  const { physics, scenario } = world
  const state = { ...start }
  const scorer = new Scorer()
  const startWh = storedWhM2(state, physics)
  let paid = 0
  let plan: HeatPlan | null = null
  let madeS = 0
  for (let nowS = SCORED_WEEK.fromS; nowS < SCORED_WEEK.toS; nowS += STEP_S) {
    if (!plan || nowS - madeS >= REPLAN_S) {
      plan = planHeat(informedProblem(world, market, state, nowS, perKh), 1e-4)
      madeS = nowS
    }
    const boundary = world.boundary(nowS)
    const fullWm2 = fullHeatWm2(physics, boundary, state.pipeC)
    const wantedWm2 = Math.max(0, plan.heat[Math.floor((nowS - madeS) / PLAN_STEP_S)] ?? 0)
    const beforeWh = storedWhM2(state, physics)
    const heatWhM2 = stepRoomState(state, physics, boundary, fullWm2 > 0 ? Math.min(1, wantedWm2 / fullWm2) : 0, STEP_S)
    paid += (heatWhM2 / 1000) * market.costAt(nowS)
    scorer.add(unsensedStep(state, physics, heatWhM2), setpointOf(scenario, nowS), STEP_S, false, beforeWh)
  }
  const storedWh = storedWhM2(state, physics) - startWh
  return { cost: paid - (storedWh / 1000) * meanCost(market), score: scorer.score() }
}

/** The heat of a course moves the room as on every other, so courses differ by a known temperature. */
function informedProblem(world: World, market: Market, state: RoomState, nowS: number, perKh: number): HeatProblem {
  const { costAt, mean } = knownCosts(world, market, nowS)
  const expected = boundariesOf(world, nowS, null)
  const stretch = { name: 'ahead', fromS: nowS, toS: nowS + AHEAD_S }
  const costs = { costAt, storedCost: mean, perKh, onHeat: () => {} }
  const problem = perfectProblem({ ...world, boundary: expected }, state, stretch, costs)
  const unheated = unheatedC(world, state, nowS, expected)
  const courses = Array.from({ length: COURSES }, (_, course) =>
    unheatedC(world, state, nowS, boundariesOf(world, nowS, course)).map((feltC, k) => feltC - (unheated[k] as number)),
  )
  return withRecourse(problem, courses, KNOWN_S / PLAN_STEP_S)
}

function knownCosts({ startMs }: World, market: Market, nowS: number) {
  const { prices } = market.energyAt(nowS)
  if (!prices) throw new Error('no prices are known')
  const costAt = (atS: number) => {
    const index = Math.floor((startMs + atS * 1000 - prices.startMs) / (1000 * prices.stepS))
    return prices.perKwh[Math.min(prices.perKwh.length - 1, index)] as number
  }
  const hours = Array.from({ length: AHEAD_S / HOUR_S }, (_, hour) => costAt(nowS + hour * HOUR_S))
  return { costAt, mean: hours.reduce((sum, cost) => sum + cost, 0) / hours.length }
}

/** What is felt after each step without heat. */
function unheatedC({ physics }: World, start: RoomState, nowS: number, boundary: World['boundary']): number[] {
  const state = { ...start }
  return Array.from({ length: AHEAD_S / PLAN_STEP_S }, (_, k) => {
    for (let atS = 0; atS < PLAN_STEP_S; atS += WEATHER_STEP_S)
      stepRoomState(state, physics, boundary(nowS + k * PLAN_STEP_S + atS), 0, WEATHER_STEP_S)
    return scoredC(state)
  })
}

/** The weather as forecast, or one of the courses it may take after that forecast. */
function boundariesOf(world: World, issuedS: number, course: number | null): World['boundary'] {
  const { climate, startMs, physics } = world
  const issuedMs = startMs + issuedS * 1000
  const known = new Map<number, Boundary>()
  const at = (slotS: number): Boundary => {
    const atMs = startMs + slotS * 1000
    const { outdoorC, cloudPct } = forecastAt(climate, issuedMs, atMs)
    const sun = sunPosition(atMs, PLACE)
    const aheadH = (atMs - issuedMs) / HOUR_MS
    const seed = 7_000_000 + 101 * (course ?? 0) + 13 * Math.floor(issuedS / HOUR_S)
    const cloud =
      course === null ? cloudPct / 100 : cloudAfter(cloudPct / 100, aheadH, smoothNoise(seed, atMs / (5 * HOUR_MS)))
    const errorK =
      course === null ? 0 : Math.min(1.6, 0.25 + 0.05 * aheadH) * smoothNoise(seed + 50, atMs / (9 * HOUR_MS))
    const solarWm2 = globalHorizontalWm2(sun, cloud)
    return {
      ...world.boundary(slotS),
      outdoorC: outdoorC - errorK,
      solarGainWm2: physics.solarShare * verticalWm2(sun, solarWm2, physics.facadeDeg),
    }
  }
  return (nowS) => {
    const slotS = Math.floor(nowS / WEATHER_STEP_S) * WEATHER_STEP_S
    const boundary = known.get(slotS) ?? at(slotS)
    known.set(slotS, boundary)
    return boundary
  }
}

const LEAD_H = 3
const LEADS = 17
const CLOUDS = 20
const OTHER_WINTERS = 300
const MOMENTS = 12
const NOISES = Array.from({ length: 400 }, (_, i) => smoothNoise(99, i * 7.31)).sort((a, b) => a - b)

let cloudsAfter: number[][] | null = null

/** The cloud that comes after a forecast one: of all that came after such a forecast in other winters, the one whose rank
 * is that of the noise. */
function cloudAfter(forecast: number, aheadH: number, noise: number): number {
  cloudsAfter ??= otherWinters()
  const came = cloudsAfter[placeOf(Math.min(LEADS - 1, Math.round(aheadH / LEAD_H)), forecast)] as number[]
  const below = NOISES.findIndex((each) => each >= noise)
  const rank = below < 0 ? 1 : below / NOISES.length
  return came[Math.min(came.length - 1, Math.floor(rank * came.length))] ?? forecast
}

const placeOf = (lead: number, forecast: number) => lead * CLOUDS + Math.min(CLOUDS - 1, Math.floor(forecast * CLOUDS))

function otherWinters(): number[][] {
  const came = Array.from({ length: LEADS * CLOUDS }, (): number[] => [])
  for (let winter = 0; winter < OTHER_WINTERS; winter++) {
    const seed = 77 * (5000 + winter)
    const climate: Climate = { seed, place: PLACE, meanC: 3, seasonSwingK: 0, clearness: 0 }
    for (let moment = 0; moment < MOMENTS; moment++) {
      const atMs = Date.UTC(2026, 0, 12) + moment * 13.7 * HOUR_MS
      const cloud = weatherAt(climate, atMs).cloudPct / 100
      for (let lead = 0; lead < LEADS; lead++) {
        const forecast = forecastAt(climate, atMs - lead * LEAD_H * HOUR_MS, atMs).cloudPct / 100
        came[placeOf(lead, forecast)]?.push(cloud)
      }
    }
  }
  return came.map((each) => each.sort((a, b) => a - b))
}
