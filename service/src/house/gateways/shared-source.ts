import type { SourceCommand, SourceReport } from '@hypocaust/domain'

interface Reporting {
  gatewayId: string
  sourceReport: string | null
  lastSeenAt: number | null
}

/** A gateway so far behind another one of its building is silent: what it last asked for is not passed on for ever. */
const SILENT_BEHIND_MS = 5 * 60_000

/**
 * Of several gateways the first that reports a relay for the heat request and is not silent: two would switch it
 * against each other.
 */
export function sourceOwnerOf(gateways: readonly Reporting[]): string | null {
  if (gateways.length < 2) return null
  const withRelay = gateways.filter((gateway) => reportOf(gateway)?.boiler === true)
  const [owner] = [...reporting(withRelay), ...withRelay]
  return owner?.gatewayId ?? null
}

/** What each gateway's loops ask of the heat source. */
export function demandsOf(gateways: readonly Reporting[]): NonNullable<SourceCommand['demand']> {
  return reporting(gateways).flatMap((gateway) => {
    const request = reportOf(gateway)?.heat_request
    return request ? [{ gateway: gateway.gatewayId, ...request }] : []
  })
}

/** Those that are not silent beside the others. */
export function reporting<T extends Reporting>(gateways: readonly T[]): T[] {
  const newestMs = Math.max(...gateways.map(({ lastSeenAt }) => lastSeenAt ?? 0))
  return gateways.filter(({ lastSeenAt }) => newestMs - (lastSeenAt ?? 0) <= SILENT_BEHIND_MS)
}

const reportOf = ({ sourceReport }: Reporting): SourceReport | null =>
  sourceReport === null ? null : (JSON.parse(sourceReport) as SourceReport)
