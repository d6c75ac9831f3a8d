import type { Prices } from '@hypocaust/control'
import { localTime, minuteOf } from '@hypocaust/domain'

/** Times of day are in whole minutes, tariffs in quarter hours. */
const STEP_S = 900
/** Further than any plan looks. */
export const AHEAD_S = 50 * 3600

/** A table by local time of day, from now on. */
export function pricesByTime(steps: { at: string; price: number }[], timeZone: string, nowMs: number): Prices | null {
  const table = steps.map(({ at, price }) => ({ minute: minuteOf(at), price })).sort((a, b) => a.minute - b.minute)
  const last = table.at(-1)
  if (!last) return null
  const startMs = Math.floor(nowMs / (STEP_S * 1000)) * STEP_S * 1000
  const priceAt = (atMs: number) => {
    const { minuteOfDay } = localTime(timeZone, atMs)
    return (table.findLast(({ minute }) => minute <= minuteOfDay) ?? last).price
  }
  const perKwh = Array.from({ length: AHEAD_S / STEP_S }, (_, i) => priceAt(startMs + i * STEP_S * 1000))
  return { startMs, stepS: STEP_S, perKwh }
}
