import { SLOT_S, type Slot } from '@hypocaust/control'

/** Predictions are judged this many half hours ahead: 2, 4, 8 and 12 hours. */
export const HORIZONS = [4, 8, 16, 24] as const
export const LONGEST = 24
const DAY_SLOTS = 48
const SLOT_MS = SLOT_S * 1000

/** A half hour from which the next twelve hours are recorded, and what was measured before and after it. */
export type Moment = {
  index: number
  airC: number
  ahead: Slot[]
  /** For each horizon what was measured; null where nothing was. */
  measuredC: (number | null)[]
  /** For each horizon what was measured a day before it; null where nothing was. */
  yesterdayC: (number | null)[]
  /** The last two hours, oldest first; empty where they are not whole. */
  before: Slot[]
}

/** All moments of a recording from which a prediction can be judged. */
export function momentsOf(slots: Slot[]): Moment[] {
  const airAt = new Map(slots.map((slot) => [slot.endMs, slot.airC]))
  return slots.flatMap(({ endMs, airC }, index): Moment[] => {
    const ahead = slots.slice(index + 1, index + 1 + LONGEST)
    if (airC === null || ahead.at(LONGEST - 1)?.endMs !== endMs + LONGEST * SLOT_MS) return []
    const before = slots.slice(Math.max(0, index - 3), index + 1)
    const isWhole = before.length === 4 && before[0]?.endMs === endMs - 3 * SLOT_MS
    const measured = (slotsAhead: number) => airAt.get(endMs + slotsAhead * SLOT_MS) ?? null
    return [
      {
        index,
        airC,
        ahead,
        measuredC: HORIZONS.map(measured),
        yesterdayC: HORIZONS.map((horizon) => measured(horizon - DAY_SLOTS)),
        before: isWhole && before.every((slot) => slot.airC !== null) ? before : [],
      },
    ]
  })
}
