import type { Compilable } from 'kysely'
import { statement } from '../../store/statement.ts'
import type { Store } from '../../store/store.ts'
import type { Availability } from '../buildings/buildings.ts'
import { isStateNews } from '../cooling/season.ts'
import { type CoolingRow, coolingStateOf, coolSupplyC } from '../cooling/settings.ts'
import { type ControlInputs, coolingIn } from './inputs.ts'

interface InSeason {
  /** With the season as it is found now: commands go by it. */
  inputs: ControlInputs
  isSeasonNew: boolean
  /** The gateways are to ask for other water. */
  isWaterNew: boolean
  coolingWrites: Compilable[]
}

/** Whether the building cools, as far as its row says. */
export const isCooled = (building: CoolingRow): boolean => coolSupplyC(building) !== null

/** The season of a building, found before its rooms are stepped. */
export function inSeason(store: Store, inputs: ControlInputs, availability: Availability, nowMs: number): InSeason {
  const cooling = coolingIn(inputs, availability, nowMs)
  const { building } = inputs
  if (!cooling) return { inputs, isSeasonNew: false, isWaterNew: false, coolingWrites: [] }
  const coolingState = JSON.stringify(cooling.state)
  const found = { ...building, coolingState }
  const isNews = isStateNews(coolingStateOf(building), cooling.state)
  return {
    inputs: { ...inputs, building: found },
    isSeasonNew: isCooled(building) !== isCooled(found),
    isWaterNew: coolSupplyC(building) !== coolSupplyC(found),
    coolingWrites: isNews ? [setState.with(store, { buildingId: building.id, coolingState })] : [],
  }
}

const setState = statement((db, { buildingId, coolingState }: { buildingId: string; coolingState: string }) =>
  db.updateTable('buildings').set({ coolingState }).where('id', '=', buildingId),
)
