import type { PowerLimit } from '@hypocaust/control'
import { type BuildingPowerLimit, HOUR_MS, LEAST_ENWG_W, type LimitBasis, timestampOf } from '@hypocaust/domain'
import { type FreshGateway, freshReports } from './fresh-reports.ts'

/** A limit as it is stored, with how the service knows of it. */
export interface KnownLimit extends PowerLimit {
  basis: LimitBasis
  reportedBy: BuildingPowerLimit['reported_by']
}

/** What one limit leaves each room: by the ids of rooms, a share of full power. */
export interface SharedLimit extends KnownLimit {
  /** When it was worked out. */
  atMs: number
  shares: Record<string, number>
}

export const POWER_LIMIT_COLUMNS = ['powerLimit', 'gridShares'] as const

export interface PowerLimitRow {
  /** As set through the interface. */
  powerLimit: string | null
  /** As the control last divided what the limits leave. */
  gridShares: string | null
}

/** One that a gateway only reports as being in force is taken to last for so long, in whole half hours. */
const LASTS_MS = HOUR_MS
const HALF_HOUR_MS = HOUR_MS / 2
/** Plans look so far ahead. */
const AHEAD_MS = 48 * HOUR_MS

/** Everything that limits the heat source of a building now or soon. */
export function knownLimits(
  { powerLimit }: PowerLimitRow,
  gateways: readonly FreshGateway[],
  availability: { silentAfterS: number },
  nowMs: number,
): KnownLimit[] {
  const set = powerLimit === null ? [] : [JSON.parse(powerLimit) as KnownLimit]
  const reported = freshReports(gateways, availability, nowMs).flatMap(({ power_limit: limit }): KnownLimit[] => {
    if (!limit) return []
    const halfHour = (ms: number) => Math.floor(ms / HALF_HOUR_MS) * HALF_HOUR_MS
    const fromMs = limit.from ? Date.parse(limit.from) : halfHour(nowMs)
    const untilMs = limit.until ? Date.parse(limit.until) : halfHour(nowMs + LASTS_MS + HALF_HOUR_MS)
    const { limit_w: powerW, basis } = limit
    return [{ fromMs, untilMs, powerW, basis, reportedBy: 'gateway' }]
  })
  return [...set, ...reported]
    .filter(({ fromMs, untilMs }) => untilMs > nowMs && untilMs > fromMs && fromMs < nowMs + AHEAD_MS)
    .map((limit) => ({ ...limit, powerW: lawful(limit) }))
}

/** § 14a never leaves a house less, whatever was sent. */
const lawful = ({ basis, powerW }: KnownLimit): number =>
  basis === 'enwg_14a' ? Math.max(LEAST_ENWG_W, powerW) : powerW

export const sharedLimitsOf = ({ gridShares }: Pick<PowerLimitRow, 'gridShares'>): SharedLimit[] =>
  gridShares === null ? [] : (JSON.parse(gridShares) as SharedLimit[])

/** What a room may take while the grid limits the heat source. */
export const roomLimitsOf = (shared: SharedLimit[], roomId: string) =>
  shared.flatMap(({ fromMs, untilMs, shares }) => {
    const share = shares[roomId]
    return share === undefined ? [] : [{ fromMs, untilMs, share }]
  })

/** The limit in force, of several the strictest; else the next one. */
export function powerLimitIn(row: PowerLimitRow, nowMs: number): BuildingPowerLimit | null {
  const set = row.powerLimit === null ? [] : [JSON.parse(row.powerLimit) as KnownLimit]
  const reported = sharedLimitsOf(row).filter(({ reportedBy }) => reportedBy === 'gateway')
  const limits = [...set, ...reported].filter(({ untilMs }) => untilMs > nowMs)
  const inForce = limits.filter(({ fromMs }) => fromMs <= nowMs).toSorted((a, b) => a.powerW - b.powerW)
  const [first] = [...inForce, ...limits.toSorted((a, b) => a.fromMs - b.fromMs)]
  return first ? limitView(first) : null
}

const limitView = ({ fromMs, untilMs, powerW, basis, reportedBy }: KnownLimit): BuildingPowerLimit => ({
  limit_w: powerW,
  from: timestampOf(fromMs),
  until: timestampOf(untilMs),
  basis,
  reported_by: reportedBy,
})

/** When the limits of a building begin and end. */
export const limitTurns = (row: PowerLimitRow): number[] => {
  const set = row.powerLimit === null ? [] : [JSON.parse(row.powerLimit) as KnownLimit]
  return [...set, ...sharedLimitsOf(row)].flatMap(({ fromMs, untilMs }) => [fromMs, untilMs])
}
