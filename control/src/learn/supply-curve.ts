import type { FloorType } from '@hypocaust/domain'
import {
  CURVE_C,
  CURVE_OUTDOOR_C,
  LEARNED,
  type Learned,
  modelOf,
  nothingLearned,
  SUPPLY_SLOPE,
  withinReason,
} from '../model/model.ts'
import type { Slot } from '../room/types.ts'

const OFFSET = LEARNED.indexOf('supplyOffsetK')
const SLOPE = LEARNED.indexOf('supplySlope')
/** Half a day of open loops. */
const FEWEST_SLOTS = 24
const OPEN = 0.05
const LEAST_SLOPE = 0.05
/** How far curves are from the one of the book, and how far water is from its curve, one standard deviation. */
const OFFSET_SPREAD_K = 5
const SLOPE_SPREAD = 0.3
const NOISE_K = 2

/** With the heating curve that the measured water followed; as it was where too little was measured. */
export function withMeasuredCurve(learned: Learned, floorType: FloorType, slots: readonly Slot[]): Learned {
  const { heat } = modelOf(floorType, nothingLearned())
  const measured = slots.flatMap(({ supplyC, outdoorC, power }) =>
    supplyC !== undefined && power >= OPEN ? [{ aboveC: supplyC - CURVE_C, colderK: CURVE_OUTDOOR_C - outdoorC }] : [],
  )
  if (heat.kind === 'electric' || measured.length < FEWEST_SLOTS) return learned
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [colderK, aboveC] = [mean(measured.map((each) => each.colderK)), mean(measured.map((each) => each.aboveC))]
  const together = measured.reduce((sum, each) => sum + (each.colderK - colderK) * (each.aboveC - aboveC), 0)
  const alone = measured.reduce((sum, each) => sum + (each.colderK - colderK) ** 2, 0)
  const ridge = (NOISE_K / SLOPE_SPREAD) ** 2
  const slope = Math.max(LEAST_SLOPE, (together + ridge * SUPPLY_SLOPE) / (alone + ridge))
  const slopeFactor = withinReason(placed(learned, SLOPE, Math.log(slope / SUPPLY_SLOPE)))[SLOPE] as number
  const leftK = aboveC - SUPPLY_SLOPE * Math.exp(slopeFactor) * colderK - heat.supplyOffsetK
  const trust = measured.length / (measured.length + (NOISE_K / OFFSET_SPREAD_K) ** 2)
  return withinReason(placed(placed(learned, SLOPE, slopeFactor), OFFSET, trust * leftK))
}

const placed = (learned: Learned, index: number, value: number): Learned =>
  learned.map((each, i) => (i === index ? value : each))
