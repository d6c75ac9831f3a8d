import type { FloorType } from '@hypocaust/domain'
import { isIdle } from '../model/idle-hours.ts'
import { modelOf, withWater } from '../model/model.ts'
import { Motion } from '../model/motion.ts'
import { outsideOf } from '../room/outside.ts'
import type { SourceEvidence } from '../room/source-state.ts'
import { type RoomControl, SLOT_S, type Span } from '../room/state.ts'
import type { Slot } from '../room/types.ts'
import { type Advance, watchSource } from './source-watch.ts'

/** Lets a finished half hour speak about the heat source. */
export function followSource(state: RoomControl, slot: Slot, others: SourceEvidence[]) {
  if (!state.belief) return
  const before = state.source
  const { watch, belief, isMistaken } = watchSource(
    before,
    state.belief,
    slot,
    state.fit.errorK ?? UNKNOWN_ERROR_K,
    advanceOf(state, slot),
    others,
  )
  state.source = watch
  state.belief = belief
  state.distrusted = isMistaken ? state.distrusted.slice(0, -1) : distrustedNow(state.distrusted, before, watch, slot)
}

/** What other rooms show of the source that heats a floor. An electric floor is a source of its own. */
export function sharedEvidence(floorType: FloorType, others: (RoomControl | null)[]): SourceEvidence[] {
  if (floorType === 'electric') return []
  return others.flatMap((other) => (other && other.floorType !== 'electric' ? (other.source?.evidence ?? []) : []))
}

/** Half an hour on for a twin. */
function advanceOf(state: RoomControl, slot: Slot): Advance {
  const model = withWater(modelOf(state.floorType, state.learned), slot.supplyC, slot.outdoorC)
  const outside = outsideOf(model, { ...slot, cloudPct: 0 }, slot.endMs - SLOT_S * 500, state)
  const motion = new Motion(model)
  const power = isIdle(state.idle, state.timeZone, slot.endMs - SLOT_S * 500) ? 0 : slot.power
  return (before, isHeated) => {
    const mean = [...before]
    motion.advance(mean, outside, isHeated ? power : 0, SLOT_S)
    return mean
  }
}

/** Before the first fit. */
const UNKNOWN_ERROR_K = 0.5

const REMEMBERED_SPANS = 8

/** From where the twins parted, as long as the source seems off. */
function distrustedNow(spans: Span[], before: RoomControl['source'], watch: RoomControl['source'], slot: Slot): Span[] {
  if (watch.kind !== 'off') return spans
  const last = spans.at(-1)
  if (before.kind === 'off' && last) return [...spans.slice(0, -1), { fromMs: last.fromMs, toMs: slot.endMs }]
  const fromMs = before.twins[0]?.startMs ?? slot.endMs
  return [...spans.slice(1 - REMEMBERED_SPANS), { fromMs, toMs: slot.endMs }]
}
