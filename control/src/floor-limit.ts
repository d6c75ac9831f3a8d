import type { Model } from './model.ts'
import { advanceMean, type Belief, type Outside, SURFACE } from './observer.ts'

/** An estimated floor may be wrong by this much, a probed one by less. */
export const limitFor = (maxFloorC: number, probed: boolean) => maxFloorC - (probed ? 0.3 : 1)

const AFTER_S = 3 * 3600
const LOOK_S = 600

/** The largest share up to `wanted` for the next `forS` that keeps the surface below its limit, also afterwards. */
export function cappedShare(
  model: Model,
  belief: Belief,
  outside: Outside,
  wanted: number,
  forS: number,
  limitC: number,
): number {
  if (highestFloorC(model, belief, outside, wanted, forS) <= limitC) return wanted
  let low = 0
  let high = wanted
  for (let i = 0; i < 6; i++) {
    const middle = (low + high) / 2
    if (highestFloorC(model, belief, outside, middle, forS) <= limitC) low = middle
    else high = middle
  }
  return low
}

function highestFloorC(model: Model, belief: Belief, outside: Outside, share: number, forS: number): number {
  const mean = [...belief.mean]
  let highest = mean[SURFACE] as number
  for (let elapsedS = 0; elapsedS < forS + AFTER_S; elapsedS += LOOK_S) {
    advanceMean(mean, model, outside, elapsedS < forS ? share : 0, LOOK_S)
    highest = Math.max(highest, mean[SURFACE] as number)
  }
  return highest
}
