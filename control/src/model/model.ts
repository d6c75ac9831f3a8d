import type { FloorType } from '@hypocaust/domain'
import type { FacadeSun } from './sun.ts'

/**
 * The grey box of a room, per square metre of floor: pipe layer, surface, walls; the air follows at once.
 * See law.md for the equations. Conductances in W/K, capacities in J/K.
 */
export type Model = {
  pipeJk: number
  surfaceJk: number
  wallJk: number
  upWk: number
  convectionWk: number
  radiationWk: number
  airToWallWk: number
  airLossWk: number
  wallLossWk: number
  neighbourWk: number
  downWk: number
  heat:
    | { kind: 'water'; waterWk: number; supplyOffsetK: number; supplySlope: number; isKnown?: true; cools?: true }
    | { kind: 'electric'; powerWm2: number }
  /** Of the heat, what goes straight to the air: a towel rail on the relay of the mat, a radiator on the loop. */
  airShare: number
  sun: FacadeSun
  biasWm2: number
}

/** What the nightly fit may change. Names index the learned vector; most are logarithms of a factor on the prior. */
export const LEARNED = [
  'floorMass',
  'floorResistance',
  'heat',
  'supplyOffsetK',
  'airLoss',
  'wallLoss',
  'wallMass',
  'sunEast',
  'sunSouth',
  'sunWest',
  'biasWm2',
  'supplySlope',
  'airShare',
] as const
export type LearnedName = (typeof LEARNED)[number]

/** Those that change only what comes from outside: sun, people, and how warm the water is. */
export const FROM_OUTSIDE: ReadonlySet<LearnedName> = new Set([
  'supplyOffsetK',
  'sunEast',
  'sunSouth',
  'sunWest',
  'biasWm2',
  'supplySlope',
])

/** How far each may be from its prior, one standard deviation; of the share to the air, its mean where there is one. */
export const SPREAD = [0.75, 0.6, 0.45, 4.5, 0.45, 0.45, 0.5, 1.8, 1.8, 1.8, 3, 0.4, 0.1]
export const AIR_SHARE_AT = LEARNED.indexOf('airShare')

export type Learned = number[]

/** Much of the heat goes past the floor: the air warms and cools within minutes of each opening. */
const QUICK_AIR_SHARE = 0.15
/** Nor is a floor that holds so little heat one: it is a radiator, and stores what water and steel do. */
const LIGHTEST_FLOOR_JK = 25e3

export function isQuickAir({ floorType, learned }: { floorType: FloorType; learned: Learned }): boolean {
  const { pipeJk, surfaceJk } = BUILD[floorType]
  const factor = Math.exp(learned[LEARNED.indexOf('floorMass')] ?? 0)
  return (learned[AIR_SHARE_AT] ?? 0) > QUICK_AIR_SHARE || factor * (pipeJk + surfaceJk) < LIGHTEST_FLOOR_JK
}

export const nothingLearned = (): Learned => LEARNED.map(() => 0)

/** Whatever the data say, no parameter leaves four spreads, and a share is one: a runaway model never reaches a valve. */
export const withinReason = (learned: Learned): Learned =>
  LEARNED.map((_, i) => {
    const limit = 4 * (SPREAD[i] ?? 0)
    const [least, most] = i === AIR_SHARE_AT ? [0, 1] : [-limit, limit]
    const value = learned[i] ?? 0
    return Number.isFinite(value) ? Math.max(least, Math.min(most, value)) : 0
  })

const PRIOR_SUN_SHARE = 0.022
export const WATER_MC_WK = 10
/** Water without an offset of the floor at this outdoor temperature, */
export const CURVE_C = 26
export const CURVE_OUTDOOR_C = 15
/** and warmer by this for each kelvin that it is colder, before a room has been learned. */
export const SUPPLY_SLOPE = 0.48
const SUPPLY_C = { least: 24, most: 55 }
/** Water that is measured or asked for may be colder. */
const KNOWN_SUPPLY_C = { least: 5, most: 90 }
export const GROUND_C = 12
export const NEIGHBOUR_C = 20

const BUILD: Record<FloorType, { pipeJk: number; surfaceJk: number; resistance: number; heat: Model['heat'] }> = {
  screed: { pipeJk: 75e3, surfaceJk: 72e3, resistance: 0.03, heat: water(33, 0) },
  dry: { pipeJk: 12e3, surfaceJk: 38e3, resistance: 0.075, heat: water(20, 4) },
  timber: { pipeJk: 130e3, surfaceJk: 18e3, resistance: 0.12, heat: water(33, 4) },
  slab: { pipeJk: 230e3, surfaceJk: 200e3, resistance: 0.06, heat: water(30, 1) },
  electric: { pipeJk: 25e3, surfaceJk: 45e3, resistance: 0.03, heat: { kind: 'electric', powerWm2: 110 } },
}

function water(pipeWk: number, supplyOffsetK: number): Model['heat'] {
  return {
    kind: 'water',
    waterWk: WATER_MC_WK * (1 - Math.exp(-pipeWk / WATER_MC_WK)),
    supplyOffsetK,
    supplySlope: SUPPLY_SLOPE,
  }
}

export function modelOf(floorType: FloorType, learned: Learned): Model {
  const build = BUILD[floorType]
  const factor = (name: LearnedName) => Math.exp(learned[LEARNED.indexOf(name)] ?? 0)
  const offset = (name: LearnedName) => learned[LEARNED.indexOf(name)] ?? 0
  return {
    pipeJk: build.pipeJk * factor('floorMass'),
    surfaceJk: build.surfaceJk * factor('floorMass'),
    wallJk: 180e3 * factor('wallMass'),
    upWk: 1 / (build.resistance * factor('floorResistance')),
    convectionWk: 4.5,
    radiationWk: 5.5,
    airToWallWk: 6,
    airLossWk: 0.8 * factor('airLoss'),
    wallLossWk: 0.5 * factor('wallLoss'),
    neighbourWk: 0.35,
    downWk: 0.12,
    airShare: offset('airShare'),
    heat: scaledHeat(build.heat, factor('heat'), offset('supplyOffsetK'), factor('supplySlope')),
    sun: {
      east: PRIOR_SUN_SHARE * factor('sunEast'),
      south: PRIOR_SUN_SHARE * factor('sunSouth'),
      west: PRIOR_SUN_SHARE * factor('sunWest'),
    },
    biasWm2: 2 + offset('biasWm2'),
  }
}

function scaledHeat(heat: Model['heat'], factor: number, offsetK: number, slopeFactor: number): Model['heat'] {
  if (heat.kind === 'electric') return { kind: 'electric', powerWm2: heat.powerWm2 * factor }
  return {
    kind: 'water',
    waterWk: heat.waterWk * factor,
    supplyOffsetK: heat.supplyOffsetK + offsetK,
    supplySlope: heat.supplySlope * slopeFactor,
  }
}

/** The same room with water that has this temperature now, and follows the outdoor temperature from there. */
export function withWater(model: Model, waterC: number | null | undefined, outdoorC: number): Model {
  const { heat } = model
  if (heat.kind === 'electric' || waterC === null || waterC === undefined) return model
  const supplyOffsetK = waterC - CURVE_C - heat.supplySlope * (CURVE_OUTDOOR_C - outdoorC)
  return { ...model, heat: { ...heat, supplyOffsetK, isKnown: true } }
}

/** Warm air stays above a floor that is colder: EN 1264-5 has 6.5 W/m²K in all for a floor that cools. */
const COLD_FLOOR_CONVECTION_WK = 1.5

/** The same room while its loop cools, with water of this temperature day and night. */
export function withCoolWater(model: Model, waterC: number): Model {
  const { heat } = model
  if (heat.kind === 'electric') return model
  const supplyOffsetK = waterC - CURVE_C
  const cools = { ...heat, supplyOffsetK, supplySlope: 0, isKnown: true, cools: true } as const
  return { ...model, convectionWk: COLD_FLOOR_CONVECTION_WK, heat: cools }
}

/** Of the water that reaches the loop; null for an electric mat. */
export const supplyC = ({ heat }: Model, outdoorC: number): number | null =>
  heat.kind === 'electric' ? null : waterSupplyC(heat, outdoorC)

function waterSupplyC(heat: Extract<Model['heat'], { kind: 'water' }>, outdoorC: number): number {
  const curveC = CURVE_C + heat.supplySlope * (CURVE_OUTDOOR_C - outdoorC) + heat.supplyOffsetK
  const { least, most } = heat.isKnown ? KNOWN_SUPPLY_C : SUPPLY_C
  return Math.min(most, Math.max(least, curveC))
}

/** The temperatures that the water of a loop meets. */
export type Warmed = { pipeC: number; airC: number }

/** Heat with the valve fully open is `offset − waterWk · what it meets`: never below zero, or never above while it cools. */
export function fullHeat(model: Model, outdoorC: number): { offset: number; slope: number } {
  const { heat } = model
  if (heat.kind === 'electric') return { offset: heat.powerWm2, slope: 0 }
  return { offset: heat.waterWk * waterSupplyC(heat, outdoorC), slope: heat.waterWk }
}

export const waterWkOf = ({ heat }: Model): number => (heat.kind === 'electric' ? 0 : heat.waterWk)

export const solarGainWm2 = (model: Model, sun: FacadeSun) =>
  model.sun.east * sun.east + model.sun.south * sun.south + model.sun.west * sun.west

export function heatWm2(model: Model, outdoorC: number, { pipeC, airC }: Warmed, power: number): number {
  const { offset, slope } = fullHeat(model, outdoorC)
  const metC = (1 - model.airShare) * pipeC + model.airShare * airC
  const fullWm2 = offset - slope * metC
  const cools = model.heat.kind === 'water' && model.heat.cools === true
  return power * (cools ? Math.min(0, fullWm2) : Math.max(0, fullWm2))
}

/** The open share that holds a temperature for ever, in the middle of a cloudy day. */
export function holdingPower(model: Model, airC: number, outdoorC: number): number {
  const { needsWm2, pipeC } = holdingHeat(model, airC, outdoorC)
  const full = heatWm2(model, outdoorC, { pipeC, airC }, 1)
  if (needsWm2 <= 0) return 0
  return full <= needsWm2 ? 1 : needsWm2 / full
}

/** The heat that holds a temperature for ever, in the middle of a cloudy day, and the floor that gives it. */
export function holdingHeat(model: Model, airC: number, outdoorC: number) {
  const cold = restingFloor(model, airC, outdoorC, 0)
  const warmed = restingFloor(model, airC, outdoorC, 1)
  // What the floor needs is linear in the heat that goes to the air.
  const saved = cold.needsWm2 - warmed.needsWm2
  const needsWm2 = cold.needsWm2 / (1 - model.airShare + model.airShare * saved)
  const between = (ofCold: number, ofWarmed: number) => ofCold + model.airShare * needsWm2 * (ofWarmed - ofCold)
  return {
    needsWm2,
    pipeC: between(cold.pipeC, warmed.pipeC),
    surfaceC: between(cold.surfaceC, warmed.surfaceC),
  }
}

/** The air that a floor of this temperature keeps for ever, in the middle of a cloudy day. */
export function airAbove(model: Model, surfaceC: number, outdoorC: number): number {
  const { convectionWk, radiationWk, airToWallWk, airLossWk, wallLossWk, neighbourWk } = model
  const half = 0.5 * model.biasWm2
  const airSum = convectionWk + airToWallWk + airLossWk
  const wallSum = radiationWk + airToWallWk + wallLossWk + neighbourWk
  const toAir = convectionWk * surfaceC + airLossWk * outdoorC + half
  const toWall = radiationWk * surfaceC + wallLossWk * outdoorC + neighbourWk * NEIGHBOUR_C + half
  return (toAir * wallSum + airToWallWk * toWall) / (airSum * wallSum - airToWallWk ** 2)
}

/** The floor that keeps the air at a temperature for ever while the loop gives it `toAirWm2`, and what the floor takes. */
function restingFloor(model: Model, airC: number, outdoorC: number, toAirWm2: number) {
  const { convectionWk, radiationWk, airToWallWk, airLossWk, wallLossWk, neighbourWk, upWk, downWk } = model
  const half = 0.5 * model.biasWm2
  // Surface and wall that keep the air at airC: two linear equations.
  const a = airLossWk * (airC - outdoorC) - half - toAirWm2 + (convectionWk + airToWallWk) * airC
  const b = wallLossWk * outdoorC + neighbourWk * NEIGHBOUR_C + half + airToWallWk * airC
  const wallSum = radiationWk + airToWallWk + wallLossWk + neighbourWk
  const wallC = (b * convectionWk + radiationWk * a) / (wallSum * convectionWk + radiationWk * airToWallWk)
  const surfaceC = (a - airToWallWk * wallC) / convectionWk
  const up = convectionWk * (surfaceC - airC) + radiationWk * (surfaceC - wallC)
  const pipeC = surfaceC + up / upWk
  return { pipeC, surfaceC, needsWm2: up + downWk * (pipeC - GROUND_C) }
}
