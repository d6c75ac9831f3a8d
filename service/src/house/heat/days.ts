import type { HeatHour, RoomHeat, Slot } from '@hypocaust/control'
import { dateOf, localTime } from '@hypocaust/domain'
import type { PriceAt } from './past-prices.ts'

/** A local day of a room's heat, per square metre. */
export interface HeatDay {
  /** As 2026-01-10. */
  day: string
  kwhM2: number
  spread: number
  /** Wh/m² of each hour of the day. */
  hours: number[]
  /** Null where the price of an hour with heat is not known. */
  costM2: number | null
}

/** How warm it was on each local day, indoors and outdoors. */
export function weatherDays(slots: Slot[], timeZone: string): Map<string, { airC: number | null; outdoorC: number }> {
  const byDay = Map.groupBy(slots, ({ endMs }) => dateOf(localTime(timeZone, endMs - 1).day))
  return new Map(
    [...byDay].map(([day, ofDay]) => {
      const felt = ofDay.flatMap(({ airC }) => airC ?? [])
      return [
        day,
        { airC: felt.length > 0 ? meanOf(felt) : null, outdoorC: meanOf(ofDay.map(({ outdoorC }) => outdoorC)) },
      ]
    }),
  )
}

const meanOf = (values: number[]): number => rounded(values.reduce((sum, value) => sum + value, 0) / values.length)

/** The hours of each local day together. */
export function heatDays({ hours, spread }: RoomHeat, timeZone: string, priceAt: PriceAt | null): HeatDay[] {
  const byDay = Map.groupBy(hours, ({ startMs }) => dateOf(localTime(timeZone, startMs).day))
  return [...byDay].map(([day, ofDay]) => ({
    day,
    kwhM2: rounded(ofDay.reduce((sum, { heatKwhM2 }) => sum + heatKwhM2, 0)),
    spread: rounded(spread),
    hours: hoursOf(ofDay, timeZone),
    costM2: priceAt && costOf(ofDay, priceAt),
  }))
}

function hoursOf(ofDay: HeatHour[], timeZone: string): number[] {
  const hours = new Array<number>(24).fill(0)
  for (const { startMs, heatKwhM2 } of ofDay) {
    const hour = Math.floor(localTime(timeZone, startMs).minuteOfDay / 60)
    hours[hour] = (hours[hour] as number) + 1000 * heatKwhM2
  }
  return hours.map((wh) => Math.round(10 * wh) / 10)
}

function costOf(ofDay: HeatHour[], priceAt: PriceAt): number | null {
  let cost = 0
  for (const { startMs, paidKwhM2 } of ofDay) {
    if (paidKwhM2 === 0) continue
    const price = priceAt(startMs)
    if (price === null) return null
    cost += paidKwhM2 * price
  }
  return rounded(cost)
}

const rounded = (value: number): number => Number(value.toFixed(5))
