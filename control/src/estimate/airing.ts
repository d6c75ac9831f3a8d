import type { Airing, Swing } from '../room/state.ts'
import type { WindowContact } from '../room/types.ts'

const QUICK_S = 240
const SLOW_S = 1800
const DROP_K = 0.5
/** How much further than before the air has to fall; where much of the heat goes straight to the air, it swings widely. */
const FURTHER_K = { asUsual: 0.3, quickAir: 1 }
/** A fall that has been followed by such a rise is over, and the other way round. */
const TURNED_K = 0.2
const FORGOTTEN_K_PER_H = 0.2
const LONGEST_MS = 2 * 3_600_000
/** Walls and floor warm the air of a shut room within minutes; before that its temperature says nothing. */
const WALLS_FIRST_MS = 15 * 60_000
/** The air rises no faster than this above its quick mean: it has come to rest. */
const AT_REST_K = 0.05

/** An open window: the air falls far faster than any floor lets it. Over when it stops falling and has risen again. */
export function watchAiring(
  airing: Airing,
  reading: number,
  sinceS: number,
  nowMs: number,
  isQuickAir: boolean,
): Airing {
  const { calm } = airing
  const quickC = follow(airing.quickC, reading, sinceS, QUICK_S)
  const swing = swungTo(airing.swing, quickC, sinceS)
  const open = airing.openSinceMs !== null
  // While it is open the slow mean stands still: it is what the room comes back to.
  const slowC = open ? airing.slowC : follow(airing.slowC, reading, sinceS, SLOW_S)
  const dropK = (slowC ?? reading) - quickC
  if (!open) {
    // Air that a radiator has warmed falls as fast when its loop is shut, but no further than before.
    const isOpen = dropK > DROP_K && quickC < swing.troughC - (isQuickAir ? FURTHER_K.quickAir : FURTHER_K.asUsual)
    return { quickC, slowC, openSinceMs: isOpen ? nowMs : null, calm, swing }
  }
  const over = dropK < 0.6 * DROP_K || nowMs - (airing.openSinceMs ?? 0) > LONGEST_MS
  return over
    ? { quickC, slowC: quickC, openSinceMs: null, calm, swing: still(quickC) }
    : { quickC, slowC, openSinceMs: airing.openSinceMs, calm, swing }
}

const still = (quickC: number): Swing => ({ isFalling: true, extremeC: quickC, troughC: quickC })

/** Where a fall ended is forgotten with time. */
function swungTo(swing: Swing | undefined, quickC: number, sinceS: number): Swing {
  if (!swing) return still(quickC)
  const { isFalling, extremeC } = swing
  const troughC = swing.troughC + (FORGOTTEN_K_PER_H * Math.max(0, sinceS)) / 3600
  const further = isFalling ? Math.min(extremeC, quickC) : Math.max(extremeC, quickC)
  if (Math.abs(quickC - further) <= TURNED_K) return { isFalling, extremeC: further, troughC }
  return { isFalling: !isFalling, extremeC: quickC, troughC: isFalling ? further : troughC }
}

/** As `watchAiring`, where a contact knows: it beats what the temperature seems to say. */
export function watchContact(airing: Airing, contact: WindowContact, nowMs: number): Airing {
  const { shutAtMs, ...rest } = airing
  if (contact === 'open') return { ...rest, openSinceMs: airing.openSinceMs ?? nowMs }
  return airing.openSinceMs === null ? rest : { ...rest, shutAtMs: shutAtMs ?? nowMs }
}

/** The means of a room with a contact. After the window was shut, the room is itself again when the walls say so. */
export function followContact(airing: Airing, reading: number, sinceS: number, nowMs: number): Airing {
  const { openSinceMs, shutAtMs, calm } = airing
  const quickC = follow(airing.quickC, reading, sinceS, QUICK_S)
  if (openSinceMs === null) return { quickC, slowC: follow(airing.slowC, reading, sinceS, SLOW_S), openSinceMs, calm }
  if (shutAtMs === undefined) return { ...airing, quickC }
  const isBack = (airing.slowC ?? reading) - quickC < 0.6 * DROP_K
  const isAtRest = nowMs - shutAtMs >= WALLS_FIRST_MS && Math.abs(reading - quickC) < AT_REST_K
  return isBack || isAtRest ? { quickC, slowC: quickC, openSinceMs: null, calm } : { ...airing, quickC }
}

/** Nothing is going on: what is believed now is worth keeping for when something does. */
export const isCalm = ({ quickC, slowC, openSinceMs }: Airing) =>
  openSinceMs === null && quickC !== null && slowC !== null && slowC - quickC < 0.2 * DROP_K

function follow(mean: number | null, value: number, sinceS: number, tauS: number): number {
  return mean === null ? value : mean + (value - mean) * (1 - Math.exp(-Math.max(0, sinceS) / tauS))
}
