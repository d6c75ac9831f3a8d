import type { FloorType } from '@hypocaust/domain'
import type { Random } from './random.ts'

/** Everything per square metre of floor: kJ/K and W/K. */
export type RoomPhysics = {
  pipeKjK: number
  surfaceKjK: number
  airKjK: number
  wallKjK: number
  /** Between pipe layer and surface, m²K/W. */
  pipeToSurfaceR: number
  heat:
    | { kind: 'water'; pipeWk: number; supplyOffsetK: number; supplySlope: number; flow?: number }
    | { kind: 'electric'; powerWm2: number }
  /** Of the heat, what goes straight to the air: a towel rail on the relay of the mat, a radiator on the loop. */
  airShare: number
  convectionWk: number
  radiationWk: number
  airToWallWk: number
  airLossWk: number
  wallLossWk: number
  neighbourWk: number
  downWk: number
  /** By how much a metre a second of wind raises the loss of the air. */
  windShare: number
  /** How the sun in the room is shared out, in all 1. */
  sunTo: { floor: number; air: number; walls: number }
  /** Share of the vertical irradiance that becomes heat in the room. */
  solarShare: number
  facadeDeg: number
}

/** Of the heating curve, in kelvin of the water for each of the outdoor air. */
export const SUPPLY_SLOPE = 0.48

const BUILD: Record<FloorType, Pick<RoomPhysics, 'pipeKjK' | 'surfaceKjK' | 'pipeToSurfaceR' | 'heat'>> = {
  screed: { pipeKjK: 75, surfaceKjK: 72, pipeToSurfaceR: 0.03, heat: water(33, 0) },
  dry: { pipeKjK: 12, surfaceKjK: 38, pipeToSurfaceR: 0.075, heat: water(20, 4) },
  timber: { pipeKjK: 130, surfaceKjK: 18, pipeToSurfaceR: 0.12, heat: water(33, 4) },
  slab: { pipeKjK: 230, surfaceKjK: 200, pipeToSurfaceR: 0.06, heat: water(30, 1) },
  electric: { pipeKjK: 25, surfaceKjK: 45, pipeToSurfaceR: 0.025, heat: { kind: 'electric', powerWm2: 120 } },
}

function water(pipeWk: number, supplyOffsetK: number): RoomPhysics['heat'] {
  return { kind: 'water', pipeWk, supplyOffsetK, supplySlope: SUPPLY_SLOPE }
}

export function roomPhysics(floorType: FloorType, facadeDeg: number): RoomPhysics {
  return {
    ...BUILD[floorType],
    airShare: 0,
    airKjK: 10,
    wallKjK: 180,
    convectionWk: 4.5,
    radiationWk: 5.5,
    airToWallWk: 6,
    airLossWk: 0.8,
    wallLossWk: 0.5,
    neighbourWk: 0.35,
    downWk: 0.12,
    windShare: 0.04,
    sunTo: { floor: 0.4, air: 0.2, walls: 0.4 },
    solarShare: 0.15 * 0.8 * 0.5,
    facadeDeg,
  }
}

/** No house is the one in the book: every figure off by up to `spread`. */
export function perturbed(physics: RoomPhysics, spread: number, random: Random): RoomPhysics {
  const vary = (value: number) => value * (1 + spread * (2 * random.uniform() - 1))
  const { heat } = physics
  return {
    ...physics,
    pipeKjK: vary(physics.pipeKjK),
    surfaceKjK: vary(physics.surfaceKjK),
    wallKjK: vary(physics.wallKjK),
    pipeToSurfaceR: vary(physics.pipeToSurfaceR),
    airLossWk: vary(physics.airLossWk),
    wallLossWk: vary(physics.wallLossWk),
    neighbourWk: vary(physics.neighbourWk),
    downWk: vary(physics.downWk),
    solarShare: vary(physics.solarShare),
    heat:
      heat.kind === 'water'
        ? {
            ...heat,
            pipeWk: vary(heat.pipeWk),
            supplyOffsetK: heat.supplyOffsetK + 6 * spread * (2 * random.uniform() - 1),
          }
        : { kind: 'electric', powerWm2: vary(heat.powerWm2) },
  }
}

/** What the law takes from the book and never learns, off by up to `spread` as well. */
export function drawnApart(physics: RoomPhysics, spread: number, random: Random): RoomPhysics {
  const vary = (value: number) => value * (1 + spread * (2 * random.uniform() - 1))
  const { heat, sunTo } = physics
  const [floor, air] = [vary(sunTo.floor), vary(sunTo.air)]
  return {
    ...physics,
    convectionWk: vary(physics.convectionWk),
    radiationWk: vary(physics.radiationWk),
    airToWallWk: vary(physics.airToWallWk),
    windShare: vary(physics.windShare),
    sunTo: { floor, air, walls: 1 - floor - air },
    heat: heat.kind === 'water' ? { ...heat, supplySlope: vary(heat.supplySlope) } : heat,
  }
}
