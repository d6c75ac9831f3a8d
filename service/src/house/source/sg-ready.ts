import type { SgReadyOut, SourceReport } from '@hypocaust/domain'

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
}

/** Null for a gateway without the relays. */
export function sgReadyBasisOf(
  gateway: Reporting,
  reporting: readonly Reporting[],
  { recommendedUntil }: RecommendedRow,
): SgReadyBasis | null {
  if (reportOf(gateway)?.sg_ready_out !== true) return null
  return { recommendedUntil, isLocked: reporting.some((each) => reportOf(each)?.sg_ready === 'locked') }
}

/** Recommended while plans heat more than they would without prices and own sun. Nothing ever forces the heat pump on. */
export function sgReadyOf({ isLocked, recommendedUntil }: SgReadyBasis, nowMs: number): SgReadyOut {
  if (isLocked) return 'locked'
  return recommendedUntil !== null && nowMs < recommendedUntil ? 'recommended' : 'normal'
}

const reportOf = ({ sourceReport }: Reporting): SourceReport | null =>
  sourceReport === null ? null : (JSON.parse(sourceReport) as SourceReport)
