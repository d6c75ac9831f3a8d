import type { Model } from '../model/model.ts'
import { Motion, type Outside, PIPE, SURFACE } from '../model/motion.ts'
import type { RoomControl } from '../room/state.ts'

/** An estimated floor may be wrong by this much, a probed one by less. */
export const limitFor = (maxFloorC: number, probed: boolean) => maxFloorC - (probed ? 0.3 : 1)

const AFTER_S = 3 * 3600
const LOOK_S = 600

export type Limited = {
  share: number
  /** The floor gets too warm with the loop shut although no part of it is: no floor does. */
  isBroken: boolean
}

/** What the sun or a stove may add to a floor within hours. */
const WARMED_K = 3

/** The largest share up to `wanted` for the next `forS` that keeps the surface below its limit, also afterwards. */
export function cappedShare(
  model: Model,
  mean: number[],
  outside: Outside,
  wanted: number,
  forS: number,
  limitC: number,
): Limited {
  const motion = new Motion(model)
  const highestC = (share: number) => highestFloorC(motion, mean, outside, share, forS)
  const staysBelow = (share: number) => highestC(share) <= limitC
  if (staysBelow(wanted)) return { share: wanted, isBroken: false }
  let low = 0
  let high = wanted
  for (let i = 0; i < 6; i++) {
    const middle = (low + high) / 2
    if (staysBelow(middle)) low = middle
    else high = middle
  }
  const isTooWarmNow = Math.max(mean[PIPE] as number, mean[SURFACE] as number) > limitC
  return { share: low, isBroken: !isTooWarmNow && !(highestC(0) <= limitC + WARMED_K) }
}

/**
 * The room if heat that is held to be off has come back: as warm as it can be at most, whenever that was. Nobody would
 * know for an hour or more, and the floor has to stay within its limit all the same.
 */
export function meanIfHeated({ source, slot }: RoomControl, model: Model, outside: Outside): number[] | null {
  const oldest = source.twins[0]
  if (source.kind !== 'off' || !oldest?.heated.every(Number.isFinite)) return null
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
