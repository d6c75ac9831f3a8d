import { fullHeat, GROUND_C, heatWm2, type Model, NEIGHBOUR_C, type Warmed, waterWkOf } from './model.ts'

/** What the world does to a room over a stretch of time, all per square metre. */
export type Conditions = {
  outdoorC: number
  windMs: number
  solarGainWm2: number
  /** What people and appliances give at this hour on most days, beside the model's constant share. */
  peopleWm2: number
  disturbanceWm2: number
}

/** Air and sensor together trail what the equations call the air. */
const SENSOR_LAG_S = 1200
/** Pipe layer, surface, walls, and what the sensor shows. */
export const THERMAL_STATES = 4

/** Rates of change per second, row-major; `power` because an open loop ties pipe layer and air to the water. */
export function rates(
  model: Model,
  power: number,
  into = new Float64Array(THERMAL_STATES * THERMAL_STATES),
): Float64Array {
  const { pipeJk, surfaceJk, wallJk, upWk, downWk, convectionWk: hc, radiationWk: hr, airToWallWk: aw } = model
  const air = airWk(model, power)
  const toWater = power * (1 - model.airShare) * waterWkOf(model)
  const surfaceToWall = hr + (hc * aw) / air
  // The others stay zero.
  into[0] = -(upWk + downWk + toWater) / pipeJk
  into[1] = upWk / pipeJk
  into[4] = upWk / surfaceJk
  into[5] = -(upWk + hc + hr - (hc * hc) / air) / surfaceJk
  into[6] = surfaceToWall / surfaceJk
  into[9] = surfaceToWall / wallJk
  into[10] = -(hr + aw + model.wallLossWk + model.neighbourWk - (aw * aw) / air) / wallJk
  into[13] = hc / air / SENSOR_LAG_S
  into[14] = aw / air / SENSOR_LAG_S
  into[15] = -1 / SENSOR_LAG_S
  return into
}

/** What changes the states from outside, per second. */
export function forcing(
  model: Model,
  conditions: Conditions,
  power: number,
  into = new Float64Array(THERMAL_STATES),
): Float64Array {
  const { outdoorC, solarGainWm2, peopleWm2, disturbanceWm2 } = conditions
  const { convectionWk: hc, airToWallWk: aw } = model
  const air = airWk(model, power)
  const inside = 0.5 * (model.biasWm2 + peopleWm2 + disturbanceWm2)
  const heat = power > 0 ? power * fullHeat(model, outdoorC).offset : 0
  const toAir = airGain(model, conditions) + model.airShare * heat
  into[0] = (model.downWk * GROUND_C + (1 - model.airShare) * heat) / model.pipeJk
  into[1] = ((hc / air) * toAir + 0.4 * solarGainWm2) / model.surfaceJk
  into[2] =
    ((aw / air) * toAir + model.wallLossWk * outdoorC + model.neighbourWk * NEIGHBOUR_C + inside + 0.4 * solarGainWm2) /
    model.wallJk
  into[3] = toAir / air / SENSOR_LAG_S
  return into
}

/** What a watt of disturbance changes, per second, with the loop open for this share. */
export function pushOf(model: Model, power: number): Float64Array {
  const air = airWk(model, power)
  return Float64Array.of(
    0,
    (0.5 * model.convectionWk) / air / model.surfaceJk,
    (0.5 + (0.5 * model.airToWallWk) / air) / model.wallJk,
    0.5 / air / SENSOR_LAG_S,
  )
}

/** Heat to the air from everything but floor, walls and loop, with the outdoor air taken as a source at its temperature. */
function airGain(model: Model, conditions: Conditions): number {
  const { outdoorC, windMs, solarGainWm2, peopleWm2, disturbanceWm2 } = conditions
  const windWm2 = model.airLossWk * 0.04 * (windMs - 3.5) * (outdoorC - 20)
  return model.airLossWk * outdoorC + windWm2 + 0.5 * (model.biasWm2 + peopleWm2 + disturbanceWm2) + 0.2 * solarGainWm2
}

/** The air now with the loop shut, as `row · [pipe, surface, wall] + offset`. */
export function airRow(model: Model, conditions: Conditions): { surface: number; wall: number; offset: number } {
  const air = airWk(model, 0)
  return { surface: model.convectionWk / air, wall: model.airToWallWk / air, offset: airOffset(model, conditions) }
}

export const airOffset = (model: Model, conditions: Conditions): number => airGain(model, conditions) / airWk(model, 0)

/** Kelvin by which a watt of heat lifts the air at once, where a part of it does not go through the floor. */
export const airLiftK = (model: Model): number => model.airShare / airWk(model, 0)

const airWk = (model: Model, power: number): number =>
  model.convectionWk + model.airToWallWk + model.airLossWk + power * model.airShare * waterWkOf(model)

export function airC(model: Model, conditions: Conditions, surfaceC: number, wallC: number, power: number): number {
  const { convectionWk, airToWallWk } = model
  const heat = power > 0 ? power * model.airShare * fullHeat(model, conditions.outdoorC).offset : 0
  const gains = convectionWk * surfaceC + airToWallWk * wallC + airGain(model, conditions) + heat
  return gains / airWk(model, power)
}

/** Water colder than what it flows through takes no heat away unless it is to cool: the loop is then as good as shut. */
export const effectivePower = (model: Model, power: number, outdoorC: number, floor: Warmed): number =>
  Math.abs(heatWm2(model, outdoorC, floor, 1)) > 0 ? power : 0
