import { efficiencyOf, type HeatSource } from '../model/efficiency.ts'
import { modelOf } from '../model/model.ts'
import { SLOT_S } from '../room/state.ts'
import type { History } from '../room/types.ts'
import { explained, type KnownRoom } from './explained.ts'

const SLOT_MS = SLOT_S * 1000

/** What the heat source took for the heat of a room between two moments, per m², by recorded half hours and its own model. */
export function takenKwhM2(
  room: KnownRoom,
  history: History,
  source: HeatSource | null,
  fromMs: number,
  untilMs: number,
): number {
  const model = modelOf(room.floorType, room.learned)
  return explained(room, history).reduce((sum, { slot, heatKwhM2 }) => {
    const withinMs = Math.min(slot.endMs, untilMs) - Math.max(slot.endMs - SLOT_MS, fromMs)
    return withinMs <= 0 ? sum : sum + ((withinMs / SLOT_MS) * heatKwhM2) / efficiencyOf(source, model, slot.outdoorC)
  }, 0)
}
