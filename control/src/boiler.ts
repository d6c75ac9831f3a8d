import type { Model } from './model.ts'
import { advanceMean, type Belief, firstBelief, type Outside, SENSED } from './observer.ts'
import type { BoilerWatch } from './state.ts'

/** The twins must differ by this before the room is asked which one it follows. */
const APART_K = 1
const LONGEST_MS = 24 * 3_600_000
/** Without heat a room falls by more than this in a day; a house that does not needs no heat. */
const FALL_K = 0.7
const FALLS_WITHIN_MS = 24 * 3_600_000

export type Told = { model: Model; outside: Outside; power: number; dtS: number; nowMs: number; belief: Belief }

export type Verdict = {
  watch: BoilerWatch
  /** The one to go on with: when the verdict changes, that of the twin the room turned out to follow. */
  belief: Belief
  /** The heat was there all the time, and the room is leakier than the model: whatever was put aside is worth learning. */
  mistaken: boolean
}

export function watchBoiler(watch: BoilerWatch, told: Told): Verdict {
  if (isMistaken(watch, told)) {
    const belief = firstBelief(sensedOf(told))
    return { watch: begin({ ...told, belief }, false), belief, mistaken: true }
  }
  const next = compareTwins(withEarlier(watch, told), told)
  if (next.verdict === watch.off) return { watch: next.watch, belief: told.belief, mistaken: false }
  const followed = next.verdict ? next.unheated : next.heated
  const mean = followed.map((value, i) => (i === SENSED ? (told.belief.mean[SENSED] as number) : value))
  const belief = { ...told.belief, mean }
  return { watch: begin({ ...told, belief }, next.verdict), belief, mistaken: false }
}

const sensedOf = ({ belief }: Told): number => belief.mean[SENSED] as number

/** Once the boiler seems off, the disturbances take over the part of the heat, and the twins can tell no more. A room that
 * holds its temperature can. */
const isMistaken = ({ off, earlier }: BoilerWatch, told: Told): boolean =>
  off && earlier !== null && isOld(earlier, told) && sensedOf(told) > earlier.airC - FALL_K

function withEarlier(watch: BoilerWatch, told: Told): BoilerWatch {
  if (!watch.off || (watch.earlier && !isOld(watch.earlier, told))) return watch
  return { ...watch, earlier: { airC: sensedOf(told), atMs: told.nowMs } }
}

const isOld = ({ atMs }: { atMs: number }, { nowMs }: Told): boolean => Math.abs(nowMs - atMs) >= FALLS_WITHIN_MS

type Comparison = { watch: BoilerWatch; verdict: boolean; heated: number[]; unheated: number[] }

function compareTwins(watch: BoilerWatch, told: Told): Comparison {
  const { model, outside, power, dtS, nowMs, belief } = told
  if (!watch.heated || !watch.unheated || nowMs - watch.startMs > LONGEST_MS || nowMs < watch.startMs)
    return { watch: again(watch, told), verdict: watch.off, heated: belief.mean, unheated: belief.mean }
  const heated = [...watch.heated]
  const unheated = [...watch.unheated]
  advanceMean(heated, model, outside, power, dtS)
  advanceMean(unheated, model, outside, 0, dtS)
  const apartK = (heated[SENSED] as number) - (unheated[SENSED] as number)
  if (apartK < APART_K) return { watch: { ...watch, heated, unheated }, verdict: watch.off, heated, unheated }
  const share = ((belief.mean[SENSED] as number) - (unheated[SENSED] as number)) / apartK
  return { watch: again(watch, told), verdict: watch.off ? share < 0.5 : share < 0.1, heated, unheated }
}

function begin({ nowMs, belief }: Told, off: boolean): BoilerWatch {
  return { startMs: nowMs, heated: [...belief.mean], unheated: [...belief.mean], off, earlier: null }
}

const again = (watch: BoilerWatch, told: Told): BoilerWatch => ({ ...begin(told, watch.off), earlier: watch.earlier })
