import type { Shortfall } from '../room/source-state.ts'
import { SLOT_S } from '../room/state.ts'
import type { Aim, Slot } from '../room/types.ts'

/** Running means of a day, and of three days for where the room comes from. */
const DAY_H = 24
const DAYS_H = 72
/** Nearly all the heat there is, around the clock, and the room below its band all the same. */
const BEGINS = { power: 0.9, belowK: 0.25 }
const LASTS = { power: 0.75, belowK: 0.08 }
/** A room that still warms up is on its way: 0.15 K a day. */
const WARMING_K = 0.3

/** Half an hour on. What is not heat that arrives slowly, such as a failed boiler or an open window, is not counted. */
export function shortfallAfter(before: Shortfall, slot: Slot, { lowC }: Aim, isCounted: boolean): Shortfall {
  if (slot.airC === null) return before
  const dayC = meanOf(before.dayC ?? slot.airC, slot.airC, DAY_H)
  const daysC = meanOf(before.daysC ?? slot.airC, slot.airC, DAYS_H)
  const power = meanOf(before.power, isCounted ? slot.power : 0, DAY_H)
  const belowK = meanOf(before.belowK, Math.max(0, lowC - slot.airC), DAY_H)
  const least = before.sinceMs === null ? BEGINS : LASTS
  const isOnItsWay = before.sinceMs === null && dayC - daysC >= WARMING_K
  const isShort = power >= least.power && belowK >= least.belowK && !isOnItsWay
  return { power, belowK, dayC, daysC, sinceMs: isShort ? (before.sinceMs ?? slot.endMs) : null }
}

function meanOf(before: number, now: number, hours: number): number {
  const kept = Math.exp(-SLOT_S / 3600 / hours)
  return Math.round(1e4 * (kept * before + (1 - kept) * now)) / 1e4 + 0
}
