import { type HotWaterState, hotWaterOrder, stepHotWater } from '@hypocaust/control'
import { HOUR_MS, MINUTE_MS } from '@hypocaust/domain'
import type { Compilable } from 'kysely'
import { statement } from '../../store/statement.ts'
import type { Store } from '../../store/store.ts'
import type { Availability } from '../buildings/buildings.ts'
import { hotWaterSeen } from '../hot-water/seen.ts'
import { hotWaterSettingsOf, hotWaterStateOf, tankOf } from '../hot-water/settings.ts'
import { raiseLive } from '../revisions.ts'
import { USUAL_AREA_M2 } from './grid-shares.ts'
import { type ControlInputs, energyNow, stepInputsOf } from './inputs.ts'

interface HotWaterStep {
  /** With what the tank is now to do: commands and plans go by it. */
  inputs: ControlInputs
  /** The source is to be asked for something else. */
  isOrderNew: boolean
  writes: Compilable[]
}

/** What nobody decided anew is written down this often. */
const WRITTEN_EVERY_MS = 5 * MINUTE_MS
const UNKNOWN_OUTDOOR_C = 5

/** The tank of a building, before its rooms are stepped; nothing happens where none is set up. */
export function withHotWater(
  store: Store,
  inputs: ControlInputs,
  availability: Availability,
  nowMs: number,
): HotWaterStep {
  const { building, gateways } = inputs
  const settings = hotWaterSettingsOf(building)
  if (!settings) return { inputs, isOrderNew: false, writes: [] }
  const before = hotWaterStateOf(building)
  const state = stepHotWater(before, {
    nowMs,
    settings: tankOf(settings, building.timezone),
    ...hotWaterSeen(gateways, availability, nowMs),
    energy: energyNow(inputs, availability, nowMs),
    outdoorAt: outdoorAt(inputs),
    rooms: () => {
      const inputOf = stepInputsOf(inputs, availability, nowMs)
      return inputs.rooms.map((room) => ({
        areaM2: room.areaM2 ?? USUAL_AREA_M2,
        state: room.state,
        input: inputOf(room),
      }))
    },
  })
  const hotWaterState = JSON.stringify(state)
  const isOrderNew = (before && hotWaterOrder(before)) !== hotWaterOrder(state)
  const isWritten = isOrderNew || isNews(before, state)
  const { id: buildingId } = building
  return {
    inputs: { ...inputs, building: { ...building, hotWaterState } },
    isOrderNew,
    writes: isWritten
      ? [setState.with(store, { buildingId, hotWaterState }), raiseLive.with(store, { buildingId, nowMs })]
      : [],
  }
}

const isNews = (before: HotWaterState | null, after: HotWaterState): boolean =>
  !before ||
  before.plannedMs !== after.plannedMs ||
  (before.tank.busySinceMs === null) !== (after.tank.busySinceMs === null) ||
  Math.abs(after.tank.atMs - before.tank.atMs) >= WRITTEN_EVERY_MS

function outdoorAt({ weather, forecast }: ControlInputs): (atMs: number) => number {
  return (atMs) => {
    const hour = forecast?.hourly[Math.floor((atMs - forecast.startMs) / HOUR_MS)]
    return (hour ?? weather)?.outdoorC ?? UNKNOWN_OUTDOOR_C
  }
}

const setState = statement((db, { buildingId, hotWaterState }: { buildingId: string; hotWaterState: string }) =>
  db.updateTable('buildings').set({ hotWaterState }).where('id', '=', buildingId),
)
