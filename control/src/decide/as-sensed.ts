import { correctionsAheadK } from '../estimate/predict.ts'
import { JUDGED_SLOTS } from '../model/direct.ts'
import type { PlannedPath } from '../plan/planner.ts'
import { weatherAhead } from '../room/forecast.ts'
import { holdsFloor } from '../room/held.ts'
import { solarOf, UNKNOWN_WEATHER } from '../room/outside.ts'
import { type RoomControl, SLOT_S } from '../room/state.ts'
import type { Slot, StepInput } from '../room/types.ts'

const SLOTS = JUDGED_SLOTS[JUDGED_SLOTS.length - 1] as number

/** The path of a plan made now, with the air as both model and regression expect the sensor to show it. */
export function asSensed(state: RoomControl, input: StepInput, path: PlannedPath): PlannedPath {
  // Nothing has been judged yet, so nothing would be corrected; and what is corrected is the air.
  if (!state.direct?.missed || holdsFloor(input.settings)) return path
  const correctionsK = correctionsAheadK(state, slotsAhead(state, input, path))
  const correctionK = (atS: number): number => {
    const place = Math.min(SLOTS, atS / SLOT_S)
    const left = Math.floor(place)
    const at = (slots: number) => (slots === 0 ? 0 : (correctionsK[slots - 1] ?? correctionsK.at(-1) ?? 0))
    return at(left) + (place - left) * (at(left + 1) - at(left))
  }
  return { ...path, airC: path.airC.map((airC, k) => airC + correctionK(path.endS[k] as number)) }
}

/** The coming half hours as the plan and the forecast have them. */
function slotsAhead(state: RoomControl, { forecast, nowMs }: StepInput, path: PlannedPath): Slot[] {
  return Array.from({ length: SLOTS }, (_, i) => {
    const middleMs = nowMs + (i + 0.5) * SLOT_S * 1000
    const weather = weatherAhead(forecast, state.forecast, state.weather ?? UNKNOWN_WEATHER, middleMs)
    return {
      endMs: nowMs + (i + 1) * SLOT_S * 1000,
      airC: null,
      power: meanShare(path, i * SLOT_S, (i + 1) * SLOT_S),
      outdoorC: weather.outdoorC,
      windMs: weather.windMs,
      solarWm2: solarOf(weather, middleMs, state.location),
    }
  })
}

function meanShare({ endS, share }: PlannedPath, fromS: number, toS: number): number {
  const inside = share.filter((_, k) => (endS[k] as number) > fromS && (endS[k - 1] ?? 0) < toS)
  return inside.reduce((sum, each) => sum + each, 0) / Math.max(1, inside.length)
}
