import { DISINFECTED_EVERY_MS, type HotWaterState, hotWaterOrder, undisinfectedSinceMs } from '@hypocaust/control'
import {
  type BuildingHotWater,
  DAY_MS,
  HOUR_MS,
  type HotWaterNow,
  type HotWaterProblem,
  type HotWaterSettings,
  hotWaterNotices,
  timestampOf,
} from '@hypocaust/domain'
import type { FreshGateway } from '../source/fresh-reports.ts'
import { hotWaterSeen } from './seen.ts'
import { type HotWaterRow, hotWaterSettingsOf, hotWaterStateOf, tankOf } from './settings.ts'

/** A disinfection may end a while after it is due. */
const OVERDUE_MS = DISINFECTED_EVERY_MS + DAY_MS
const MEASURED_MS = HOUR_MS

export function hotWaterView(
  row: HotWaterRow & { timezone: string },
  gateways: readonly FreshGateway[],
  availability: { silentAfterS: number },
  nowMs: number,
): BuildingHotWater {
  const settings = hotWaterSettingsOf(row)
  const state = hotWaterStateOf(row)
  const { seen, can } = hotWaterSeen(gateways, availability, nowMs)
  const about = { isMeasured: seen.tankC !== null, isAsked: can.charge }
  return {
    settings,
    state: settings && state && nowOf(settings, state, row.timezone, nowMs),
    notices: settings ? hotWaterNotices(settings, about) : [],
  }
}

function nowOf(settings: HotWaterSettings, state: HotWaterState, timeZone: string, nowMs: number): HotWaterNow {
  const { tank, charge } = state
  const stamp = (ms: number | null) => (ms === null ? null : timestampOf(ms))
  return {
    temperature: Math.round(2 * tank.tankC) / 2,
    measured_at: stamp(tank.measuredMs),
    heating: tank.busySinceMs !== null,
    asked: hotWaterOrder(state) !== null,
    next: charge && {
      kind: charge.kind,
      from: timestampOf(charge.fromMs),
      until: timestampOf(charge.untilMs),
      temperature: charge.toC,
    },
    disinfected_at: stamp(tank.disinfectedMs),
    problems: hotWaterProblemsOf(settings, state, timeZone, nowMs),
  }
}

function hotWaterProblemsOf(
  settings: HotWaterSettings,
  { tank }: HotWaterState,
  timeZone: string,
  nowMs: number,
): HotWaterProblem[] {
  const { isWished, tapC } = tankOf(settings, timeZone)
  const isMeasured = tank.measuredMs !== null && nowMs - tank.measuredMs < MEASURED_MS
  return [
    ...(isMeasured && isWished(nowMs) && tank.tankC < tapC ? ['too_cold' as const] : []),
    ...(isOverdue(settings, tank, nowMs) ? ['disinfection_overdue' as const] : []),
  ]
}

const isOverdue = ({ disinfection }: HotWaterSettings, tank: HotWaterState['tank'], nowMs: number): boolean =>
  disinfection !== null && nowMs - undisinfectedSinceMs(tank) > OVERDUE_MS

/** Null where nobody asks for a disinfection, or nothing is known of the tank yet. */
export function isDisinfectionOverdue(row: HotWaterRow, nowMs: number): boolean | null {
  const settings = hotWaterSettingsOf(row)
  const state = hotWaterStateOf(row)
  if (!settings || settings.disinfection === null || !state) return null
  return isOverdue(settings, state.tank, nowMs)
}
