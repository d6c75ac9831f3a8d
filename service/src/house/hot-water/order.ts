import { hotWaterOrder } from '@hypocaust/control'
import { HOUR_MS, type SourceCommand, type SourceReport } from '@hypocaust/domain'
import { type HotWaterRow, hotWaterStateOf } from './settings.ts'

/** What a gateway is told of the tank; null for one that cannot ask the source for anything. */
export interface HotWaterBasis {
  order: NonNullable<SourceCommand['hot_water']>
  atMs: number
}

/** Nothing that was decided longer ago is asked for. */
const COUNTS_MS = HOUR_MS

export function hotWaterBasisOf(
  { sourceReport }: { sourceReport: string | null },
  building: HotWaterRow,
): HotWaterBasis | null {
  const report = sourceReport === null ? null : (JSON.parse(sourceReport) as SourceReport)
  if (!report?.hot_water?.can.length) return null
  const state = building.hotWater === null ? null : hotWaterStateOf(building)
  return { order: (state && hotWaterOrder(state)) ?? 'none', atMs: state?.tank.atMs ?? 0 }
}

export const hotWaterOrderAt = ({ order, atMs }: HotWaterBasis, nowMs: number): HotWaterBasis['order'] =>
  nowMs - atMs <= COUNTS_MS ? order : 'none'
