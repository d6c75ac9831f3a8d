import { type RoomPhysics, SUPPLY_SLOPE } from './floor.ts'

/** Pipe layer, floor surface, air, walls, in Celsius. */
export type RoomState = { pipeC: number; surfaceC: number; airC: number; wallC: number }

/** What the world does to a room at an instant. */
export type Boundary = {
  outdoorC: number
  windMs: number
  /** Sun and people inside, per square metre of floor. */
  solarGainWm2: number
  internalWm2: number
  neighbourC: number
  /** How much faster than usual the air is changed: 1, or far more with a window open. */
  airChange: number
  supply: 'running' | 'failed'
  /** Supply temperature that the gateway requests; without it the source follows its own heating curve. */
  waterC?: number | null
  /** The water is there to cool. */
  cools?: boolean
}

const WATER_MC_WK = 10
export const GROUND_C = 12
const STEP_S = 30
/** Warm air lies still above a floor that is colder. */
const COLD_FLOOR_CONVECTION_WK = 1.5

export function settledState(airC: number): RoomState {
  return { pipeC: airC + 2.5, surfaceC: airC + 2, airC, wallC: airC }
}

export function supplyC(outdoorC: number, offsetK: number, slope = SUPPLY_SLOPE): number {
  return Math.min(45, Math.max(24, 26 + slope * (15 - outdoorC) + offsetK))
}

/** Heat with the valve fully open into what has this temperature: the pipe layer, or the air around a radiator. */
export function fullHeatWm2(physics: RoomPhysics, boundary: Boundary, warmedC: number): number {
  const { heat } = physics
  if (boundary.supply === 'failed') return 0
  if (heat.kind === 'electric') return heat.powerWm2
  const waterC = boundary.waterC ?? supplyC(boundary.outdoorC, heat.supplyOffsetK, heat.supplySlope)
  const heatWm2 = waterWk(heat.pipeWk, heat.flow) * (waterC - warmedC)
  return boundary.cools ? Math.min(0, heatWm2) : Math.max(0, heatWm2)
}

/** What a loop with this share of the usual water gives for each kelvin. */
export const waterWk = (pipeWk: number, flow = 1) => flow * WATER_MC_WK * (1 - Math.exp(-pipeWk / (flow * WATER_MC_WK)))

/** The exchange of a pipe that gives with all of the water what this one gives with a share of it. */
export const throttledWk = (pipeWk: number, flow: number) =>
  -WATER_MC_WK * Math.log(1 - flow * (1 - Math.exp(-pipeWk / (flow * WATER_MC_WK))))

export const airLossNow = (physics: RoomPhysics, boundary: Boundary) =>
  physics.airLossWk * (1 + physics.windShare * (boundary.windMs - 3.5)) * boundary.airChange

/** Moves the state on by `dtS` in place; returns the heat given, Wh/m². */
export function stepRoomState(
  state: RoomState,
  physics: RoomPhysics,
  boundary: Boundary,
  position: number,
  dtS: number,
): number {
  const steps = Math.max(1, Math.ceil(dtS / STEP_S))
  const h = dtS / steps / 1000
  const lossWk = airLossNow(physics, boundary)
  let heatJ = 0
  for (let i = 0; i < steps; i++) {
    const { pipeC, surfaceC, airC, wallC } = state
    const intoFloor = position * (1 - physics.airShare) * fullHeatWm2(physics, boundary, pipeC)
    const intoAir = physics.airShare > 0 ? position * physics.airShare * fullHeatWm2(physics, boundary, airC) : 0
    const up = (pipeC - surfaceC) / physics.pipeToSurfaceR
    const film = boundary.cools && surfaceC < airC ? COLD_FLOOR_CONVECTION_WK : physics.convectionWk
    const convection = film * (surfaceC - airC)
    const radiation = physics.radiationWk * (surfaceC - wallC)
    const toAir = physics.airToWallWk * (wallC - airC)
    const sun = boundary.solarGainWm2
    const people = 0.5 * boundary.internalWm2
    state.pipeC += (h / physics.pipeKjK) * (intoFloor - up - physics.downWk * (pipeC - GROUND_C))
    state.surfaceC += (h / physics.surfaceKjK) * (up - convection - radiation + physics.sunTo.floor * sun)
    const gains = intoAir + people + physics.sunTo.air * sun
    state.airC += (h / physics.airKjK) * (convection + toAir - lossWk * (airC - boundary.outdoorC) + gains)
    state.wallC +=
      (h / physics.wallKjK) *
      (radiation -
        toAir -
        physics.wallLossWk * (wallC - boundary.outdoorC) +
        physics.neighbourWk * (boundary.neighbourC - wallC) +
        people +
        physics.sunTo.walls * sun)
    heatJ += (intoFloor + intoAir) * h * 1000
  }
  return heatJ / 3600
}

export const scoredC = (state: RoomState) => 0.7 * state.airC + 0.3 * state.wallC

/** Heat held in floor, air and walls, against 0 °C. */
export function storedWhM2(state: RoomState, physics: RoomPhysics): number {
  const kj =
    physics.pipeKjK * state.pipeC +
    physics.surfaceKjK * state.surfaceC +
    physics.airKjK * state.airC +
    physics.wallKjK * state.wallC
  return kj / 3.6
}
