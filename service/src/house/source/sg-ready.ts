import type { SgReadyOut, SourceReport } from '@hypocaust/domain'
import { type PowerLimitRow, type SharedLimit, sharedLimitsOf } from './power-limit.ts'

interface Reporting {
  sourceReport: string | null
}

export interface RecommendedRow {
  recommendedUntil: number | null
}

/** What the relays of SG-Ready on a heat pump go by. */
export interface SgReadyBasis extends RecommendedRow {
  /** A gateway of the building reports a lock of the grid operator. */
  isLocked: boolean
  /** What the grid leaves the heat pump, now or soon. */
  limits: SharedLimit[]
}

/** Null for a gateway without the relays. */
export function sgReadyBasisOf(
  gateway: Reporting,
  reporting: readonly Reporting[],
  { recommendedUntil, gridShares }: RecommendedRow & Pick<PowerLimitRow, 'gridShares'>,
): SgReadyBasis | null {
  if (reportOf(gateway)?.sg_ready_out !== true) return null
  const isLocked = reporting.some((each) => reportOf(each)?.sg_ready === 'locked')
  return { recommendedUntil, isLocked, limits: sharedLimitsOf({ gridShares }) }
}

/** Recommended while plans heat more than they would without prices and own sun, and the grid limits nothing. Nothing ever forces the heat pump on. */
export function sgReadyOf({ isLocked, recommendedUntil, limits }: SgReadyBasis, nowMs: number): SgReadyOut {
  if (isLocked) return 'locked'
  if (limits.some(({ fromMs, untilMs }) => fromMs <= nowMs && nowMs < untilMs)) return 'normal'
  return recommendedUntil !== null && nowMs < recommendedUntil ? 'recommended' : 'normal'
}

const reportOf = ({ sourceReport }: Reporting): SourceReport | null =>
  sourceReport === null ? null : (JSON.parse(sourceReport) as SourceReport)
