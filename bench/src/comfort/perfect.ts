import { type HeatPlan, type HeatProblem, planHeat } from '@hypocaust/control'
import {
  airLossNow,
  type Boundary,
  fullHeatWm2,
  GROUND_C,
  type RoomPhysics,
  type RoomState,
  scoredC,
  stepRoomState,
  storedWhM2,
  supplyC,
  waterWk,
} from '@hypocaust/simulator'
import type { PlantStep } from './plant.ts'
import { STEP_S, type Stretch } from './run.ts'
import { setpointOf } from './scenarios.ts'
import { PENALTY_PER_KH, type Score, Scorer } from './score.ts'
import { WEATHER_STEP_S, type World } from './world.ts'

/** A light floor answers within half an hour: coarser steps would not be a limit for it. */
export const PLAN_STEP_S = 600
const EULER_S = 30
const N = 4

/** What heat and comfort cost, where heat is not one and the same at all times. */
export type Costs = {
  /** Of a kWh of heat. */
  costAt: (nowS: number) => number
  /** Of a kWh that is left at the end. */
  storedCost: number
  perKh: number
  /** Receives the heat of every step, in Wh/m². */
  onHeat: (nowS: number, heatWhM2: number, dtS: number) => void
  /** W/m², where less may come than the source gives. */
  mostHeatAt?: (nowS: number) => number
}

const IN_KWH: Costs = { costAt: () => 1, storedCost: 1, perKh: PENALTY_PER_KH, onHeat: () => {} }

/** What no controller can beat: the whole week known beforehand, on the very same plant, optimising exactly J. */
export function perfectScore(world: World, start: RoomState, stretch: Stretch): { score: Score; plan: HeatPlan } {
  return perfectHeat(world, start, stretch, IN_KWH)
}

/** The same with costs of heat and comfort. */
export function perfectHeat(world: World, start: RoomState, stretch: Stretch, costs: Costs) {
  const plan = planHeat(perfectProblem(world, start, stretch, costs), 1e-4)
  let heatSumWhM2 = 0
  const state = { ...start }
  const scorer = new Scorer()
  for (let nowS = stretch.fromS; nowS < stretch.toS; nowS += STEP_S) {
    const boundary = world.boundary(nowS)
    const wantedWm2 = plan.heat[Math.floor((nowS - stretch.fromS) / PLAN_STEP_S)] ?? 0
    const fullWm2 = fullHeatWm2(world.physics, boundary, state.pipeC)
    const mostWm2 = costs.mostHeatAt?.(nowS) ?? fullWm2
    const position = fullWm2 > 0 ? Math.min(1, Math.min(mostWm2, Math.max(0, wantedWm2)) / fullWm2) : 0
    const storedBeforeWh = storedWhM2(state, world.physics)
    const heatWhM2 = stepRoomState(state, world.physics, boundary, position, STEP_S)
    heatSumWhM2 += heatWhM2
    costs.onHeat(nowS, heatWhM2, STEP_S)
    scorer.add(
      unsensedStep(state, world.physics, heatWhM2),
      setpointOf(world.scenario, nowS),
      STEP_S,
      false,
      storedBeforeWh,
    )
  }
  return { score: scorer.score(), plan, heatWhM2: heatSumWhM2 }
}

/** A step of who knows the room, and so needs no sensor. */
export const unsensedStep = (state: RoomState, physics: World['physics'], heatWhM2: number): PlantStep => ({
  sensorC: null,
  sensorRh: null,
  scoredC: scoredC(state),
  airC: state.airC,
  floorC: state.surfaceC,
  heatWhM2,
  storedWhM2: storedWhM2(state, physics),
})

export function perfectProblem(world: World, start: RoomState, stretch: Stretch, costs: Costs = IN_KWH): HeatProblem {
  const steps = Math.round((stretch.toS - stretch.fromS) / PLAN_STEP_S)
  const { physics, scenario } = world
  const transition: Float64Array[] = []
  const gain: Float64Array[] = []
  const drift: Float64Array[] = []
  const price = new Float64Array(steps)
  const ceiling = new Float64Array(steps)
  const slope = new Float64Array(steps)
  const level = new Float64Array(2 * steps)
  const weight = new Float64Array(2 * steps)
  const hours = PLAN_STEP_S / 3600
  const free = Float64Array.of(start.pipeC, start.surfaceC, start.airC, start.wallC)
  for (let k = 0; k < steps; k++) {
    const fromS = stretch.fromS + k * PLAN_STEP_S
    const step = planStep(world, fromS)
    transition.push(step.transition)
    gain.push(step.gain)
    drift.push(step.drift)
    const top = within(heatCeiling(physics, world.boundary(fromS), free[0] as number), costs.mostHeatAt?.(fromS), free)
    // The layer warms while it is heated, so the mean over the step is a little less than at its start.
    const fading = 1 + 0.5 * top.slope * (step.gain[0] as number)
    price[k] = (hours / 1000) * costs.costAt(fromS)
    ceiling[k] = top.ceiling / fading
    slope[k] = top.slope / fading
    free.set(after(step, free))
    const setpoint = setpointOf(scenario, fromS + PLAN_STEP_S)
    level[2 * k] = setpoint.targetC - setpoint.bandK
    level[2 * k + 1] = -(setpoint.targetC + setpoint.bandK)
    weight[2 * k] = costs.perKh * hours
    weight[2 * k + 1] = setpoint.occupied ? costs.perKh * hours : 0
  }
  const content = [physics.pipeKjK, physics.surfaceKjK, physics.airKjK, physics.wallKjK]
  return {
    states: N,
    start: Float64Array.of(start.pipeC, start.surfaceC, start.airC, start.wallC),
    transition,
    gain,
    drift,
    price,
    ceiling,
    slope,
    rows: [Float64Array.of(0, 0, 0.7, 0.3)],
    limits: [
      { row: 0, sign: 1 },
      { row: 0, sign: -1 },
    ],
    level,
    weight,
    final: Float64Array.from(content, (kjK) => (-kjK / 3600) * costs.storedCost),
  }
}

/** What is left of it where less may come; a limit above what an unheated floor would take is none. */
function within(top: { ceiling: number; slope: number }, mostWm2: number | undefined, free: Float64Array) {
  const fullWm2 = top.ceiling - top.slope * (free[0] as number)
  return mostWm2 !== undefined && mostWm2 < fullWm2 ? { ceiling: mostWm2, slope: 0 } : top
}

/** Where even an unheated floor is nearly as warm as the water, the ceiling is relaxed to a fixed one: the limit only falls. */
function heatCeiling(physics: RoomPhysics, boundary: Boundary, freePipeC: number) {
  const { heat } = physics
  if (boundary.supply === 'failed') return { ceiling: 0, slope: 0 }
  if (heat.kind === 'electric') return { ceiling: heat.powerWm2, slope: 0 }
  const slope = waterWk(heat.pipeWk)
  const ceiling = slope * supplyC(boundary.outdoorC, heat.supplyOffsetK, heat.supplySlope)
  const freeWm2 = ceiling - slope * freePipeC
  return freeWm2 > 4 * slope ? { ceiling, slope } : { ceiling: Math.max(0, freeWm2), slope: 0 }
}

type PlanStep = { transition: Float64Array; gain: Float64Array; drift: Float64Array }

/** One planning step of the plant's own Euler steps, as one affine map. */
function planStep(world: World, fromS: number): PlanStep {
  let whole: PlanStep = { transition: unit(), gain: new Float64Array(N), drift: new Float64Array(N) }
  for (let nowS = fromS; nowS < fromS + PLAN_STEP_S; nowS += WEATHER_STEP_S) {
    const small = eulerStep(world.physics, world.boundary(nowS))
    for (let i = 0; i < WEATHER_STEP_S / EULER_S; i++) whole = chain(whole, small)
  }
  return whole
}

function eulerStep(physics: RoomPhysics, boundary: Boundary): PlanStep {
  const { pipeKjK, surfaceKjK, airKjK, wallKjK, pipeToSurfaceR, downWk, convectionWk, radiationWk } = physics
  const { airToWallWk, wallLossWk, neighbourWk, sunTo } = physics
  const { outdoorC, neighbourC, solarGainWm2, internalWm2 } = boundary
  const h = EULER_S / 1000
  const up = 1 / pipeToSurfaceR
  const loss = airLossNow(physics, boundary)
  const rates = [
    [-(up + downWk) / pipeKjK, up / pipeKjK, 0, 0],
    [
      up / surfaceKjK,
      -(up + convectionWk + radiationWk) / surfaceKjK,
      convectionWk / surfaceKjK,
      radiationWk / surfaceKjK,
    ],
    [0, convectionWk / airKjK, -(convectionWk + airToWallWk + loss) / airKjK, airToWallWk / airKjK],
    [
      0,
      radiationWk / wallKjK,
      airToWallWk / wallKjK,
      -(radiationWk + airToWallWk + wallLossWk + neighbourWk) / wallKjK,
    ],
  ]
  const forcing = [
    (downWk * GROUND_C) / pipeKjK,
    (sunTo.floor * solarGainWm2) / surfaceKjK,
    (loss * outdoorC + 0.5 * internalWm2 + sunTo.air * solarGainWm2) / airKjK,
    (wallLossWk * outdoorC + neighbourWk * neighbourC + 0.5 * internalWm2 + sunTo.walls * solarGainWm2) / wallKjK,
  ]
  return {
    transition: unit().map((value, i) => value + h * (rates[Math.floor(i / N)]?.[i % N] ?? 0)),
    gain: Float64Array.of(((1 - physics.airShare) * h) / pipeKjK, 0, (physics.airShare * h) / airKjK, 0),
    drift: Float64Array.from(forcing, (value) => h * value),
  }
}

function chain(first: PlanStep, then: PlanStep): PlanStep {
  const a = then.transition
  const transition = new Float64Array(N * N)
  for (let i = 0; i < N; i++)
    for (let j = 0; j < N; j++) {
      let sum = 0
      for (let m = 0; m < N; m++) sum += (a[i * N + m] ?? 0) * (first.transition[m * N + j] ?? 0)
      transition[i * N + j] = sum
    }
  const through = (x: Float64Array, plus: Float64Array) => {
    const result = new Float64Array(N)
    for (let i = 0; i < N; i++) {
      let sum = plus[i] ?? 0
      for (let m = 0; m < N; m++) sum += (a[i * N + m] ?? 0) * (x[m] ?? 0)
      result[i] = sum
    }
    return result
  }
  return { transition, gain: through(first.gain, then.gain), drift: through(first.drift, then.drift) }
}

function after({ transition, drift }: PlanStep, x: Float64Array): Float64Array {
  return drift.map((value, i) => {
    let sum = value
    for (let j = 0; j < N; j++) sum += (transition[i * N + j] ?? 0) * (x[j] ?? 0)
    return sum
  })
}

function unit(): Float64Array {
  const result = new Float64Array(N * N)
  for (let i = 0; i < N; i++) result[i * N + i] = 1
  return result
}
