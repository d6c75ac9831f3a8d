import type { SourceReport } from '@hypocaust/domain'

export interface FreshGateway {
  sourceReport: string | null
  lastSeenAt: number | null
}

/** Of the gateways that are heard: what they last reported of the heat source. */
export const freshReports = (
  gateways: readonly FreshGateway[],
  { silentAfterS }: { silentAfterS: number },
  nowMs: number,
): SourceReport[] =>
  gateways.flatMap(({ sourceReport, lastSeenAt }) =>
    sourceReport !== null && lastSeenAt !== null && nowMs - lastSeenAt <= silentAfterS * 1000
      ? [JSON.parse(sourceReport) as SourceReport]
      : [],
  )
