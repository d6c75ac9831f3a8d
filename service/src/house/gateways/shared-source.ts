import type { SourceCommand, SourceReport } from '@hypocaust/domain'

interface Reporting {
  gatewayId: string
  sourceReport: string | null
}

/** Of several gateways the first that reports a relay for the heat request: two would switch it against each other. */
export function sourceOwnerOf(gateways: readonly Reporting[]): string | null {
  if (gateways.length < 2) return null
  return gateways.find((gateway) => reportOf(gateway)?.boiler === true)?.gatewayId ?? null
}

/** What each gateway's loops ask of the heat source. */
export function demandsOf(gateways: readonly Reporting[]): NonNullable<SourceCommand['demand']> {
  return gateways.flatMap((gateway) => {
    const request = reportOf(gateway)?.heat_request
    return request ? [{ gateway: gateway.gatewayId, ...request }] : []
  })
}

const reportOf = ({ sourceReport }: Reporting): SourceReport | null =>
  sourceReport === null ? null : (JSON.parse(sourceReport) as SourceReport)
