import type { Model } from './model.ts'
import { advanceMean, type Belief, type Outside, SENSED } from './observer.ts'
import type { BoilerWatch } from './state.ts'

/** The twins must differ by this before the room is asked which one it follows. */
const APART_K = 1
const LONGEST_MS = 24 * 3_600_000

export type Told = { model: Model; outside: Outside; power: number; dtS: number; nowMs: number; belief: Belief }

/** `belief` is the one to go on with: when the verdict changes, that of the twin the room turned out to follow. */
export function watchBoiler(watch: BoilerWatch, told: Told): { watch: BoilerWatch; belief: Belief } {
  const next = compareTwins(watch, told)
  if (next.verdict === watch.off) return { watch: next.watch, belief: told.belief }
  const followed = next.verdict ? next.unheated : next.heated
  const mean = followed.map((value, i) => (i === SENSED ? (told.belief.mean[SENSED] as number) : value))
  const belief = { ...told.belief, mean }
  return { watch: begin({ ...told, belief }, next.verdict), belief }
}

type Comparison = { watch: BoilerWatch; verdict: boolean; heated: number[]; unheated: number[] }

function compareTwins(watch: BoilerWatch, told: Told): Comparison {
  const { model, outside, power, dtS, nowMs, belief } = told
  if (!watch.heated || !watch.unheated || nowMs - watch.startMs > LONGEST_MS || nowMs < watch.startMs)
    return { watch: begin(told, watch.off), verdict: watch.off, heated: belief.mean, unheated: belief.mean }
  const heated = [...watch.heated]
  const unheated = [...watch.unheated]
  advanceMean(heated, model, outside, power, dtS)
  advanceMean(unheated, model, outside, 0, dtS)
  const apartK = (heated[SENSED] as number) - (unheated[SENSED] as number)
  if (apartK < APART_K) return { watch: { ...watch, heated, unheated }, verdict: watch.off, heated, unheated }
  const share = ((belief.mean[SENSED] as number) - (unheated[SENSED] as number)) / apartK
  return { watch: begin(told, watch.off), verdict: watch.off ? share < 0.5 : share < 0.1, heated, unheated }
}

function begin({ nowMs, belief }: Told, off: boolean): BoilerWatch {
  return { startMs: nowMs, heated: [...belief.mean], unheated: [...belief.mean], off }
}
