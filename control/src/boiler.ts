import type { Model } from './model.ts'
import { advanceMean, type Belief, type Outside, SENSED } from './observer.ts'
import type { BoilerWatch } from './state.ts'

/** The twins must differ by this before the room is asked which one it follows. */
const APART_K = 1
const LONGEST_MS = 24 * 3_600_000

export type Told = { model: Model; outside: Outside; power: number; dtS: number; nowMs: number; belief: Belief }

export function watchBoiler(watch: BoilerWatch, told: Told): BoilerWatch {
  if (!watch.heated || !watch.unheated || told.nowMs - watch.startMs > LONGEST_MS || told.nowMs < watch.startMs)
    return begin(told, watch.off)
  const heated = [...watch.heated]
  const unheated = [...watch.unheated]
  advanceMean(heated, told.model, told.outside, told.power, told.dtS)
  advanceMean(unheated, told.model, told.outside, 0, told.dtS)
  const apartK = (heated[SENSED] as number) - (unheated[SENSED] as number)
  if (apartK < APART_K) return { ...watch, heated, unheated }
  const share = ((told.belief.mean[SENSED] as number) - (unheated[SENSED] as number)) / apartK
  return begin(told, watch.off ? share < 0.5 : share < 0.1)
}

function begin({ nowMs, belief }: Told, off: boolean): BoilerWatch {
  return { startMs: nowMs, heated: [...belief.mean], unheated: [...belief.mean], off }
}
