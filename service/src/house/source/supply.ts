import { SUPPLY_EVERY_S, type Supply, type SupplyLimits, type SupplySetpoint } from '@hypocaust/control'
import type { HeatSource, SourceReport } from '@hypocaust/domain'
import { SUPPLY_LIMIT_C } from '@hypocaust/domain/facts'
import { type FreshGateway, freshReports } from './fresh-reports.ts'
import { type EnergyRow, heatSourceOf } from './settings.ts'

/** As last decided for a building. */
export interface SupplyRow extends EnergyRow {
  supplySetpoint: string | null
}

/** Rooms that no longer decide leave the heat source to the fallback of the gateway. */
const COUNTS_MS = 4 * SUPPLY_EVERY_S * 1000

/** Null where the heat source follows a curve of its own. */
export function supplyLimitsOf(row: EnergyRow): SupplyLimits | null {
  const supply: HeatSource['supply'] = heatSourceOf(row)?.supply
  return supply ? { leastC: supply.min ?? SUPPLY_LIMIT_C.usualMinimum, mostC: supply.max } : null
}

/** Null where the heat source follows a curve of its own. */
export function withinLimits(waterC: number, row: EnergyRow): number | null {
  const limits = supplyLimitsOf(row)
  return limits && Math.min(limits.mostC, Math.max(limits.leastC, waterC))
}

/** What gateways are to ask the heat source for; null when nothing has been decided for long. */
export function supplySetpointOf(row: SupplyRow, nowMs: number): SupplySetpoint | null {
  if (!supplyLimitsOf(row) || row.supplySetpoint === null) return null
  const setpoint = JSON.parse(row.supplySetpoint) as SupplySetpoint
  return nowMs - setpoint.atMs <= COUNTS_MS && nowMs >= setpoint.atMs ? setpoint : null
}

export const isSupplyDue = (before: SupplySetpoint | null, nowMs: number): boolean =>
  before === null || nowMs - before.atMs >= SUPPLY_EVERY_S * 1000

/** What the gateways that are heard know of the water; null where none of them measures or sets it. */
export function supplyOf(
  gateways: readonly FreshGateway[],
  availability: { silentAfterS: number },
  nowMs: number,
): Supply | null {
  const reports = freshReports(gateways, availability, nowMs)
  const first = (value: (report: SourceReport) => number | null | undefined) =>
    reports.map(value).find((each) => typeof each === 'number') ?? null
  const supply = { measuredC: first((report) => report.supply_c), setC: first((report) => report.supply_set_c) }
  return supply.measuredC === null && supply.setC === null ? null : supply
}

/** From this much own electricity on, heat counts as cheap. */
const SURPLUS_W = 500

/** SG-Ready state and exported solar power, as the gateways that are online report them. */
export function gridOf(
  gateways: readonly FreshGateway[],
  availability: { silentAfterS: number },
  nowMs: number,
): 'locked' | 'cheap' | null {
  const reports = freshReports(gateways, availability, nowMs)
  if (reports.some(({ sg_ready }) => sg_ready === 'locked')) return 'locked'
  const isCheap = ({ sg_ready, surplus_w }: SourceReport) =>
    sg_ready === 'recommended' || sg_ready === 'forced' || (surplus_w ?? 0) >= SURPLUS_W
  return reports.some(isCheap) ? 'cheap' : null
}

/** Hours ahead in which a gateway forecasts that much own electricity. */
export function sunnyOf(
  gateways: readonly FreshGateway[],
  availability: { silentAfterS: number },
  nowMs: number,
): { fromMs: number; toMs: number }[] {
  const [forecast] = freshReports(gateways, availability, nowMs).flatMap(
    ({ surplus_forecast }) => surplus_forecast ?? [],
  )
  if (!forecast) return []
  const startMs = Date.parse(forecast.start)
  const stepMs = forecast.step_s * 1000
  return forecast.values.flatMap((w, i) => {
    const fromMs = startMs + i * stepMs
    return w >= SURPLUS_W && fromMs + stepMs > nowMs ? [{ fromMs, toMs: fromMs + stepMs }] : []
  })
}
