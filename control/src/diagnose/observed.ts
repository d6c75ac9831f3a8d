import { DAY_MS } from '@hypocaust/domain'
import { SLOT_S } from '../room/state.ts'
import type { Slot } from '../room/types.ts'

/** Seen without a model: how strongly it speaks for a fault, as the logarithm of how much more probable it makes it. */
export type Observed = { gain: number; sinceDays: number }

const NOTHING: Observed = { gain: 0, sinceDays: 0 }
const SLOT_MS = SLOT_S * 1000

const FROZEN = { leastSlots: 48, gainASlot: 0.5, most: 60 }
/** A healthy room of the book would have moved by this much meanwhile. */
const MOVED_K = 1
/** Sensors with coarser steps stand still by themselves. */
const FINE_STEP_K = 0.3

/** The sensor has shown one and the same temperature while the room must have changed; `expectedC` for every slot. */
export function frozen(slots: Slot[], expectedC: number[]): Observed {
  const last = slots.at(-1)?.airC ?? null
  if (last === null) return NOTHING
  const from = slots.findLastIndex(({ airC }) => airC !== last) + 1
  const count = slots.length - from
  const moved = expectedC.slice(from)
  const before = [...new Set(slots.slice(0, from).flatMap(({ airC }) => airC ?? []))].toSorted((a, b) => a - b)
  const finest = Math.min(...before.slice(1).map((value, i) => value - (before[i] as number)))
  if (count < FROZEN.leastSlots || finest > FINE_STEP_K || Math.max(...moved) - Math.min(...moved) < MOVED_K)
    return NOTHING
  return { gain: Math.min(FROZEN.most, FROZEN.gainASlot * count), sinceDays: count / 48 }
}

const AIRED = { leastHours: 4, leastDays: 3, ofDays: 7, gainADay: 15 }

/** A window stood open for hours on most of the last days: more than airing needs. */
export function oftenAired(slots: Slot[], nowMs: number): Observed {
  const hours = new Array<number>(AIRED.ofDays).fill(0)
  for (const { endMs, aired } of slots) {
    const ago = Math.floor((nowMs - endMs) / DAY_MS)
    if (aired && ago >= 0 && ago < AIRED.ofDays) hours[ago] = (hours[ago] ?? 0) + SLOT_MS / 3_600_000
  }
  const days = hours.flatMap((open, ago) => (open >= AIRED.leastHours ? [ago] : []))
  if (days.length < AIRED.leastDays || (days[0] ?? 0) > 1) return NOTHING
  return { gain: AIRED.gainADay * days.length, sinceDays: (days.at(-1) ?? 0) + 1 }
}
