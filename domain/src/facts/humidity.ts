/**
 * Magnus formula over water with the constants of Sonntag (1990), as in WMO-No. 8, annex 4.B: from −45 to 60 °C, within
 * 0.6 % of the full equation. Outside that range the temperature at its edge counts.
 */
const MAGNUS = { hpa: 6.112, slope: 17.62, offsetC: 243.12 }
const MAGNUS_RANGE_C = { minimum: -45, maximum: 60 }

/** g·K/J: a hundred times the reciprocal of the gas constant of water vapour, 461.5 J/(kg·K), for hPa and grams. */
const VAPOUR = 216.68
const ZERO_C_IN_K = 273.15

/** Below this no sensor of a room measures, and the dew point would run off to −∞. */
const LEAST_PCT = 0.1

const within = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value))

/** The pressure at which water vapour begins to condense at this temperature. */
export function saturationHpa(airC: number): number {
  const inRangeC = within(airC, MAGNUS_RANGE_C.minimum, MAGNUS_RANGE_C.maximum)
  return MAGNUS.hpa * Math.exp((MAGNUS.slope * inRangeC) / (MAGNUS.offsetC + inRangeC))
}

/** The temperature at which this pressure is that of saturation. */
export function saturatedAtC(hpa: number): number {
  const power = Math.log(hpa / MAGNUS.hpa)
  return within((MAGNUS.offsetC * power) / (MAGNUS.slope - power), MAGNUS_RANGE_C.minimum, MAGNUS_RANGE_C.maximum)
}

export const vapourHpa = (airC: number, humidityPct: number): number =>
  (within(humidityPct, LEAST_PCT, 100) / 100) * saturationHpa(airC)

/** Below this temperature water condenses out of the air. */
export const dewPointC = (airC: number, humidityPct: number): number => saturatedAtC(vapourHpa(airC, humidityPct))

/** Grams of water in a cubic metre of air of this temperature. */
export const gramsPerM3 = (hpa: number, airC: number): number => (VAPOUR * hpa) / (airC + ZERO_C_IN_K)

/** Air with this much vapour, at another temperature; never above 100 %. */
export const humidityAt = (hpa: number, airC: number): number => Math.min(100, (100 * hpa) / saturationHpa(airC))
