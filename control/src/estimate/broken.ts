import { firstBelief } from '../model/observer.ts'
import { freshState, type RoomControl } from '../room/state.ts'
import type { StepInput } from '../room/types.ts'

/**
 * The room with a model that turned out to be impossible put aside. What it had learned is gone, and so are the days that
 * taught it; until new ones have, the room is held by plain feedback on its reading.
 */
export function begunAnew(state: RoomControl, input: StepInput): RoomControl {
  const { learned, profile, idle, direct, fit, source, outlook } = freshState(input)
  const { nowMs, air } = input
  return {
    ...state,
    ...{ learned, profile, idle, direct, fit, source, outlook },
    belief: air.kind === 'missing' ? null : firstBelief(air.airC),
    airing: { ...state.airing, calm: null },
    distrusted: [{ fromMs: 0, toMs: nowMs }],
    integral: 0,
    brokenMs: nowMs,
    heldBackMs: null,
  }
}
