import type { Airing } from './state.ts'

const QUICK_S = 240
const SLOW_S = 1800
const DROP_K = 0.5
const LONGEST_MS = 2 * 3_600_000

/** An open window: the air falls far faster than any floor lets it. Over when it stops falling and has risen again. */
export function watchAiring(airing: Airing, reading: number, sinceS: number, nowMs: number): Airing {
  const { calm } = airing
  const quickC = follow(airing.quickC, reading, sinceS, QUICK_S)
  const open = airing.openSinceMs !== null
  // While it is open the slow mean stands still: it is what the room comes back to.
  const slowC = open ? airing.slowC : follow(airing.slowC, reading, sinceS, SLOW_S)
  const dropK = (slowC ?? reading) - quickC
  if (!open) return { quickC, slowC, openSinceMs: dropK > DROP_K ? nowMs : null, calm }
  const over = dropK < 0.6 * DROP_K || nowMs - (airing.openSinceMs ?? 0) > LONGEST_MS
  return over
    ? { quickC, slowC: quickC, openSinceMs: null, calm }
    : { quickC, slowC, openSinceMs: airing.openSinceMs, calm }
}

/** Nothing is going on: what is believed now is worth keeping for when something does. */
export const isCalm = ({ quickC, slowC, openSinceMs }: Airing) =>
  openSinceMs === null && quickC !== null && slowC !== null && slowC - quickC < 0.2 * DROP_K

function follow(mean: number | null, value: number, sinceS: number, tauS: number): number {
  return mean === null ? value : mean + (value - mean) * (1 - Math.exp(-Math.max(0, sinceS) / tauS))
}
