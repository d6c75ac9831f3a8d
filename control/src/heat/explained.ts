import { settledGain } from '../learn/replay.ts'
import { isIdle } from '../model/idle-hours.ts'
import { heatWm2, type Model, modelOf } from '../model/model.ts'
import { Motion, type Outside, PIPE, SENSED, SIZE } from '../model/motion.ts'
import { firstBelief } from '../model/observer.ts'
import { outsideOf } from '../room/outside.ts'
import { type RoomControl, SLOT_S } from '../room/state.ts'
import type { History, Slot } from '../room/types.ts'

/** What the law knows of a room once it has been learned; a whole `RoomControl` is one. */
export type KnownRoom = Pick<
  RoomControl,
  'floorType' | 'learned' | 'profile' | 'location' | 'timeZone' | 'distrusted' | 'outlook' | 'idle'
>

/** A recorded half hour as the room's own model sees it. */
export type ExplainedSlot = {
  slot: Slot
  outside: Outside
  /** The open share that brought heat: none while the source was held to be off. */
  power: number
  heatKwhM2: number
  /** What the filter holds to be true at the end. */
  mean: number[]
  /** What the reading at the end added to what the model expected; null where the record begins anew. */
  correction: number[] | null
}

const SLOT_MS = SLOT_S * 1000
const SLOT_H = SLOT_S / 3600

/** The half hours of a record, oldest first, each with the heat that the model says the floor took. */
export function explained(
  room: KnownRoom,
  history: History,
  model = modelOf(room.floorType, room.learned),
): ExplainedSlot[] {
  const gain = settledGain(room.floorType, room.learned)
  const motion = new Motion(model)
  const slots: ExplainedSlot[] = []
  for (const slot of history) {
    const last = slots.at(-1)
    const follows = last && slot.endMs - last.slot.endMs === SLOT_MS
    const outside = outsideDuring(room, model, slot)
    const power =
      isDistrusted(room, slot) || isIdle(room.idle, room.timeZone, slot.endMs - SLOT_MS / 2) ? 0 : slot.power
    const before = follows ? last.mean : firstBelief(slot.airC ?? 20).mean
    const expected = [...before]
    motion.advance(expected, outside, power, SLOT_S)
    const correction = follows ? correctionOf(slot, expected, gain) : null
    slots.push({
      slot,
      outside,
      power,
      heatKwhM2: heatBetween(model, outside, before, expected, power),
      mean: correction ? expected.map((value, i) => value + (correction[i] as number)) : before,
      correction,
    })
  }
  return slots
}

function outsideDuring(room: KnownRoom, model: Model, { endMs, outdoorC, windMs, solarWm2 }: Slot): Outside {
  return outsideOf(model, { outdoorC, windMs, solarWm2, cloudPct: 0 }, endMs - SLOT_MS / 2, room)
}

/** Over a half hour with pipe layer and air between two states. */
export function heatBetween(model: Model, outside: Outside, before: number[], after: number[], power: number): number {
  const middle = (i: number) => ((before[i] as number) + (after[i] as number)) / 2
  return (heatWm2(model, outside.outdoorC, { pipeC: middle(PIPE), airC: middle(SENSED) }, power) * SLOT_H) / 1000
}

const isDistrusted = ({ distrusted }: KnownRoom, { endMs }: Slot): boolean =>
  distrusted.some(({ fromMs, toMs }) => endMs > fromMs && endMs - SLOT_MS < toMs)

function correctionOf({ airC }: Slot, expected: number[], gain: Float64Array): number[] {
  if (airC === null) return new Array<number>(SIZE).fill(0)
  const surprise = airC - (expected[SENSED] as number)
  return expected.map((_, i) => (gain[i] as number) * surprise)
}
