import { type FloorType, SHORTEST_WINDOW_S, WINDOW_S } from '@hypocaust/domain'
import { isQuickAir, type Learned } from '../model/model.ts'

/** Openings are at least this far apart: with shorter windows several share one opening. */
const BLOCK_S = 1800

/** A thermal actuator needs its stroke before it lets water through; a relay does not. */
export const minPulseS = (floorType: FloorType) => (floorType === 'electric' ? 60 : 180)

export type Opened = { floorType: FloorType; learned: Learned }

/** In which `power` is the open share. Air that is heated past the floor cools within minutes, whatever the floor. */
export const windowOf = (opened: Opened): number =>
  isQuickAir(opened) ? SHORTEST_WINDOW_S : WINDOW_S[opened.floorType]

/** How long a decision holds: one opening. */
export function blockS(opened: Opened): number {
  const windowS = windowOf(opened)
  return isQuickAir(opened) ? windowS : Math.max(1, Math.round(BLOCK_S / windowS)) * windowS
}

/** The end of the block that holds `nowMs`: blocks begin at multiples of their length. What is left of one when the
 * wish changes may be too short for the valve, and then belongs to the next. */
export function blockEndMs(nowMs: number, opened: Opened): number {
  const minS = minPulseS(opened.floorType)
  const lengthMs = blockS(opened) * 1000
  return (Math.floor((nowMs + minS * 1000) / lengthMs) + 1) * lengthMs
}

/** What of a wish the valve can do, and what remains owed. */
export function pulse(wantedS: number, lengthS: number, minS: number): { openS: number; owedS: number } {
  if (wantedS < minS) return { openS: 0, owedS: Math.max(-lengthS, wantedS) }
  if (wantedS > lengthS - minS) return { openS: lengthS, owedS: Math.min(minS, wantedS - lengthS) }
  return { openS: wantedS, owedS: 0 }
}

/** The share of the present window, or of what the block leaves of it: the block is open at its beginning. */
export function windowShare(block: { startMs: number; openS: number }, nowMs: number, windowS: number): number {
  const windowMs = windowS * 1000
  const windowStartMs = Math.floor(nowMs / windowMs) * windowMs
  const fromMs = Math.max(windowStartMs, block.startMs)
  const openUntilMs = block.startMs + block.openS * 1000
  const lengthMs = windowStartMs + windowMs - fromMs
  return lengthMs <= 0 ? 0 : Math.min(1, Math.max(0, (openUntilMs - fromMs) / lengthMs))
}

/** Of a whole block. */
export const evenShare = ({ startMs, endMs, openS }: { startMs: number; endMs: number; openS: number }) =>
  (openS * 1000) / (endMs - startMs)
