import { HOUR_MS } from '@hypocaust/domain/facts'
import { efficiencyOf, type HeatSource } from '../model/efficiency.ts'
import { modelOf, nothingLearned } from '../model/model.ts'
import { SLOT_S } from '../room/state.ts'
import type { History } from '../room/types.ts'
import { type ExplainedSlot, explained, type KnownRoom } from './explained.ts'

/** An hour of heat, per square metre of floor. */
export type HeatHour = {
  startMs: number
  heatKwhM2: number
  /** What the heat source took for it. */
  paidKwhM2: number
}

export type RoomHeat = {
  hours: HeatHour[]
  /** One standard deviation of the logarithm: 0.2 is about 20 %. */
  spread: number
}

/** Of the book's floor: the temperature of its water is not known, nor the rated power of a mat. */
const LEAST_SPREAD = { water: 0.2, electric: 0.3 }
const MOST_SPREAD = 1

/**
 * The heat that a floor took in recorded half hours. The air tells heat and loss only in proportion, so a model may predict
 * well and still be wrong about both. Two witnesses are heard, the learned room and the floor of the book; the answer is
 * their geometric mean, and the further apart they are, the less certain it is.
 */
export function roomHeat(room: KnownRoom, history: History, source: HeatSource | null): RoomHeat {
  const learned = explained(room, history)
  const byTheBook = explained({ ...room, learned: nothingLearned() }, history)
  const ratio = Math.log(totalOf(byTheBook) / totalOf(learned))
  const apart = Number.isFinite(ratio) ? ratio : 0
  const factor = Math.exp(apart / 2)
  const model = modelOf(room.floorType, room.learned)
  const hours = new Map<number, HeatHour>()
  for (const { slot, heatKwhM2 } of learned) {
    const startMs = Math.floor((slot.endMs - SLOT_S * 1000) / HOUR_MS) * HOUR_MS
    const hour = hours.get(startMs) ?? { startMs, heatKwhM2: 0, paidKwhM2: 0 }
    const heat = factor * heatKwhM2
    hour.heatKwhM2 += heat
    hour.paidKwhM2 += heat / efficiencyOf(source, model, slot.outdoorC)
    hours.set(startMs, hour)
  }
  return {
    hours: [...hours.values()],
    spread: Math.min(MOST_SPREAD, Math.hypot(LEAST_SPREAD[model.heat.kind], apart / 2)),
  }
}

const totalOf = (slots: ExplainedSlot[]): number => slots.reduce((sum, { heatKwhM2 }) => sum + heatKwhM2, 0)
