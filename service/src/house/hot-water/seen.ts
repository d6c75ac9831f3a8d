import type { HotWaterInput } from '@hypocaust/control'
import { HOT_WATER_ORDERS } from '@hypocaust/domain'
import { type FreshGateway, freshReports } from '../source/fresh-reports.ts'

/** What the gateways that are heard know of the tank, and what they can ask the source for. */
export function hotWaterSeen(
  gateways: readonly FreshGateway[],
  availability: { silentAfterS: number },
  nowMs: number,
): Pick<HotWaterInput, 'seen' | 'can'> {
  const reports = freshReports(gateways, availability, nowMs)
  const tanks = reports.flatMap(({ hot_water }) => hot_water ?? [])
  const busy = [...tanks.map((tank) => tank.busy ?? null), ...reports.map(({ lock }) => lock === 'hot_water' || null)]
  const [charge, disinfect] = HOT_WATER_ORDERS.map((order) => tanks.some(({ can }) => can.includes(order)))
  return {
    seen: {
      tankC: tanks.map(({ tank_c }) => tank_c ?? null).find((c) => c !== null) ?? null,
      isBusy: busy.includes(true) ? true : busy.includes(false) ? false : null,
    },
    can: { charge: charge === true, disinfect: disinfect === true },
  }
}
