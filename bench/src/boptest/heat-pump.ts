import { WATER_FLOW_WK } from './envelope.ts'

/**
 * The modulating air-to-water heat pump (15 kW) of the test case as a map: heat and electricity by speed, supply water and
 * outdoor air, fitted to the 659 points of both reference trajectories at which it runs (21 W and 2 W off).
 */
const HEAT_W = [1048.3, -1.1989, 11.175, 10614, -112.26, 356.28, -1229.5, 6.4658]
const COMPRESSOR_W = [1090.4, -0.36485, 0.88173, 1996.5, 30.666, 24.544, -94.23, 0.76716]
/** They run while the compressor does. */
export const FAN_W = 510.2
export const PUMP_W = 20.5

export type Running = { heatW: number; compressorW: number; supplyC: number }
export const RESTING: Running = { heatW: 0, compressorW: 0, supplyC: 0 }

/** `speed` is the modulating signal, from 0 (off) to 1; `waterC` the mean of supply and return. */
export function runAt(speed: number, waterC: number, outdoorC: number): Running {
  if (speed <= 0) return RESTING
  // Supply is half the spread above the mean, and the spread follows from the heat: two rounds are enough.
  let supplyC = waterC
  let heatW = 0
  for (let round = 0; round < 3; round++) {
    heatW = Math.max(0, mapped(HEAT_W, speed, supplyC, outdoorC))
    supplyC = waterC + heatW / (2 * WATER_FLOW_WK)
  }
  return { heatW, compressorW: Math.max(0, mapped(COMPRESSOR_W, speed, supplyC, outdoorC)), supplyC }
}

function mapped(weights: number[], y: number, supplyC: number, outdoorC: number): number {
  const warm = supplyC - 30
  const features = [1, warm, outdoorC, y, y * warm, y * outdoorC, y * y, y * outdoorC * outdoorC]
  return features.reduce((sum, feature, i) => sum + feature * (weights[i] as number), 0)
}

const LOWEST_SPEED = 0.15

/** The speed that supplies water of a wanted temperature, as a heat pump with a heating curve chooses it. */
export function speedFor(supplyC: number, waterC: number, outdoorC: number): number {
  let [low, high] = [LOWEST_SPEED, 1]
  for (let round = 0; round < 12; round++) {
    const middle = 0.5 * (low + high)
    if (runAt(middle, waterC, outdoorC).supplyC < supplyC) low = middle
    else high = middle
  }
  return 0.5 * (low + high)
}
