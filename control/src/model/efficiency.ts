import { type Model, supplyC } from './model.ts'

/** What makes the heat. `share` is heat for each kWh that is paid for. */
export type HeatSource =
  | { kind: 'boiler' | 'district' | 'electric'; share: number }
  /** `quality` is the share of the Carnot limit that it reaches, learned where meters report. */
  | { kind: 'heat-pump'; quality: number }

/** Air to water, EN 14511: A7/W35 4.7, A2/W35 3.9, A−7/W35 3.1, A2/W45 3.1. */
export const PRIOR_QUALITY = 0.42
export const PRIOR_SHARE = { boiler: 0.95, district: 1, electric: 1 } as const

const ZERO_C_K = 273.15
/** Below this lift fans, pumps and the least speed of the compressor decide, not Carnot. */
const LEAST_LIFT_K = 18
const COP = { least: 1, most: 7 }

/** Of a heat pump with this coefficient of performance at 2 °C outdoors and water of 35 °C. */
export const qualityOf = (copA2W35: number): number => (copA2W35 * (35 - 2)) / (35 + ZERO_C_K)

export function copOf(quality: number, outdoorC: number, supplyC: number): number {
  return Math.min(COP.most, Math.max(COP.least, quality * carnotOf(outdoorC, supplyC)))
}

export const carnotOf = (outdoorC: number, supplyC: number): number =>
  (supplyC + ZERO_C_K) / Math.max(LEAST_LIFT_K, supplyC - outdoorC)

/** Heat in the floor of a room for each kWh that is paid for; an electric mat makes its heat itself. */
export function efficiencyOf(source: HeatSource | null, model: Model, outdoorC: number): number {
  const waterC = supplyC(model, outdoorC)
  if (!source || waterC === null) return 1
  return source.kind === 'heat-pump' ? copOf(source.quality, outdoorC, waterC) : source.share
}
