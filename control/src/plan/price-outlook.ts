import type { Prices } from '../model/heat-cost.ts'

/** As known at a moment, in order and without gaps in time; null where no price is known. */
export type KnownPrices = { startMs: number; stepS: number; perKwh: (number | null)[] }

const DAY_S = 86_400

/**
 * The prices from a moment on, for as long as a plan looks ahead: as known, else the mean of the same time of day on the
 * days that are known, else the mean of all. Null where nothing is known.
 */
export function pricesAhead({ startMs, stepS, perKwh }: KnownPrices, fromMs: number, aheadS: number): Prices | null {
  const aDay = Math.max(1, Math.round(DAY_S / stepS))
  const ofDay = Array.from({ length: aDay }, () => new Mean())
  const all = new Mean()
  perKwh.forEach((price, i) => {
    if (price === null) return
    all.add(price)
    ofDay[i % aDay]?.add(price)
  })
  const ofAll = all.value
  if (ofAll === null) return null
  const first = Math.floor((fromMs - startMs) / (1000 * stepS))
  return {
    startMs: startMs + first * stepS * 1000,
    stepS,
    perKwh: Array.from({ length: Math.ceil(aheadS / stepS) + 1 }, (_, i) => {
      const at = first + i
      return perKwh[at] ?? ofDay[((at % aDay) + aDay) % aDay]?.value ?? ofAll
    }),
  }
}

class Mean {
  private sum = 0
  private count = 0

  add(value: number) {
    this.sum += value
    this.count++
  }

  get value(): number | null {
    return this.count === 0 ? null : this.sum / this.count
  }
}
