import type { FloorType } from '@hypocaust/domain'
import { discretise } from './linear.ts'
import { modelOf, withWater } from './model.ts'
import { DAYS, DAYS_TAU_S, HOURS, HOURS_TAU_S, PIPE } from './observer.ts'
import { outsideOf } from './outside.ts'
import type { SourceEvidence } from './source-state.ts'
import { type Advance, watchSource } from './source-watch.ts'
import { type RoomControl, SLOT_S, type Span } from './state.ts'
import { effectivePower, forcing, rates, THERMAL_STATES } from './thermal.ts'
import type { Slot } from './types.ts'

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

/** Half an hour in one step; both maps are the same for all twins. */
function advanceOf(state: RoomControl, slot: Slot): Advance {
  const model = withWater(modelOf(state.floorType, state.learned), slot.supplyC, slot.outdoorC)
  const outside = outsideOf(model, { ...slot, cloudPct: 0 }, slot.endMs - SLOT_S * 500, state)
  const n = THERMAL_STATES
  const mapOf = (power: number) => ({ power, ...discretise(rates(model, power, slot.outdoorC), n, SLOT_S) })
  const unheated = mapOf(0)
  const heated = slot.power > 0 ? mapOf(slot.power) : unheated
  return (mean, isHeated) => {
    const power = isHeated ? effectivePower(model, slot.power, slot.outdoorC, mean[PIPE] as number) : 0
    const { transition, integral } = power > 0 ? heated : unheated
    const [hours, days] = [mean[HOURS] as number, mean[DAYS] as number]
    const push = forcing(model, { ...outside, disturbanceWm2: hours + days }, power)
    const next = [...mean]
    for (let i = 0; i < n; i++) {
      let sum = 0
      for (let j = 0; j < n; j++)
        sum +=
          (transition[i * n + j] as number) * (mean[j] as number) +
          (integral[i * n + j] as number) * (push[j] as number)
      next[i] = sum
    }
    next[HOURS] = hours * Math.exp(-SLOT_S / HOURS_TAU_S)
    next[DAYS] = days * Math.exp(-SLOT_S / DAYS_TAU_S)
    return next
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
