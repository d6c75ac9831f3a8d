import type { Model } from './model.ts'
import { Motion, type Outside, SURFACE } from './motion.ts'
import type { RoomControl } from './state.ts'

/** An estimated floor may be wrong by this much, a probed one by less. */
export const limitFor = (maxFloorC: number, probed: boolean) => maxFloorC - (probed ? 0.3 : 1)

const AFTER_S = 3 * 3600
const LOOK_S = 600

/** The largest share up to `wanted` for the next `forS` that keeps the surface below its limit, also afterwards. */
export function cappedShare(
  model: Model,
  mean: number[],
  outside: Outside,
  wanted: number,
  forS: number,
  limitC: number,
): number {
  const motion = new Motion(model)
  const staysBelow = (share: number) => highestFloorC(motion, mean, outside, share, forS) <= limitC
  if (staysBelow(wanted)) return wanted
  let low = 0
  let high = wanted
  for (let i = 0; i < 6; i++) {
    const middle = (low + high) / 2
    if (staysBelow(middle)) low = middle
    else high = middle
  }
  return low
}

/**
 * The room if heat that is held to be off has come back: as warm as it can be at most, whenever that was. Nobody would
 * know for an hour or more, and the floor has to stay within its limit all the same.
 */
export function meanIfHeated({ source, slot }: RoomControl, model: Model, outside: Outside): number[] | null {
  const oldest = source.twins[0]
  if (source.kind !== 'off' || !oldest) return null
  const mean = [...oldest.heated]
  if (slot.seconds > 0) new Motion(model).advance(mean, outside, slot.power / slot.seconds, slot.seconds)
  return mean
}

function highestFloorC(motion: Motion, from: number[], outside: Outside, share: number, forS: number): number {
  const mean = [...from]
  let highest = mean[SURFACE] as number
  for (let elapsedS = 0; elapsedS < forS + AFTER_S; elapsedS += LOOK_S) {
    motion.advance(mean, outside, elapsedS < forS ? share : 0, LOOK_S)
    highest = Math.max(highest, mean[SURFACE] as number)
  }
  return highest
}
