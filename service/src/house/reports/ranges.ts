import { type Estimate, likelyHeat, type Range } from '@hypocaust/control'

export const rounded = (value: number, digits: number): number => Number(value.toFixed(digits))

export const rangeView = ({ value, least, most }: Range, digits: number) => ({
  value: rounded(value, digits),
  low: rounded(least, digits),
  high: rounded(most, digits),
})

export function estimateView({ value, spread }: Estimate, digits: number) {
  const { leastKwh: least, mostKwh: most } = likelyHeat({ heatKwh: value, spread })
  return rangeView({ value, least, most }, digits)
}

/** Of a whole. */
export function shareView(share: Estimate) {
  const { value, low, high } = estimateView(share, 3)
  return { value, low, high: Math.min(1, high) }
}
