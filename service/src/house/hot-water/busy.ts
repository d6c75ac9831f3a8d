import { type BusySpan, hotWaterBusy } from '@hypocaust/control'
import type { FreshGateway } from '../source/fresh-reports.ts'
import { hotWaterSeen } from './seen.ts'
import { type HotWaterRow, hotWaterSettingsOf, hotWaterStateOf, tankOf } from './settings.ts'

/** When the floors of a building get no heat because the source makes hot water; null where none is set up. */
export function busySpans(
  building: HotWaterRow & { timezone: string },
  gateways: readonly FreshGateway[],
  availability: { silentAfterS: number },
  nowMs: number,
): BusySpan[] | null {
  const settings = hotWaterSettingsOf(building)
  const state = settings && hotWaterStateOf(building)
  if (!settings || !state) return null
  const { can } = hotWaterSeen(gateways, availability, nowMs)
  return hotWaterBusy(state, tankOf(settings, building.timezone), can.charge)
}
