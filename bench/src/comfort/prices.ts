import { copOf, type Energy, type HeatSource, PRIOR_QUALITY, pricesAhead } from '@hypocaust/control'
import { HOUR_S } from '@hypocaust/domain/facts'
import { seededRandom, smoothNoise, supplyC } from '@hypocaust/simulator'
import { DAY_S } from './scenarios.ts'
import type { World } from './world.ts'

/** Of day-ahead prices on working days in winter: expensive in the morning and the evening, cheap at night. */
const OF_DAY = [
  0.75, 0.7, 0.67, 0.66, 0.68, 0.77, 0.97, 1.2, 1.3, 1.2, 1.08, 1.02, 0.97, 0.96, 1, 1.07, 1.2, 1.42, 1.5, 1.4, 1.2,
  1.02, 0.93, 0.82,
]
const WEEKEND = 0.85
const CHEAPEST = 0.1
const DEAREST = 0.4
const DAYS_BEFORE = 7
const DAYS = 16
/** The prices of a day are published at one o'clock of the day before. */
const PUBLISHED_S = 13 * HOUR_S
const AHEAD_S = 49 * HOUR_S

/** What heat is bought as in a world: prices in €/kWh by the hour, from a week before the plant's time, and the source. */
export type Market = { perKwh: number[]; costAt: (nowS: number) => number; energyAt: (nowS: number) => Energy }

export function marketOf(world: World): Market {
  const { seed } = world.choice
  const { perKwh, pricesAt } = dayAhead(seed, world.startMs)
  const source: HeatSource =
    world.scenario.source === 'heat-pump'
      ? { kind: 'heat-pump', quality: PRIOR_QUALITY }
      : { kind: 'electric', share: 1 }
  return {
    perKwh,
    costAt: (nowS) => (perKwh[indexAt(nowS)] as number) / trueEfficiency(world, nowS),
    energyAt: (nowS) => ({ prices: pricesAt(nowS), source }),
  }
}

/** Day-ahead prices from a week before a moment on, and what is published of them at each second after it. */
export function dayAhead(seed: number, startMs: number) {
  const perKwh = dayAheadPrices(seed)
  const firstMs = startMs - DAYS_BEFORE * DAY_S * 1000
  return {
    perKwh,
    priceAt: (nowS: number) => perKwh[indexAt(nowS)] as number,
    pricesAt: (nowS: number) => {
      const known = perKwh.map((price, i) => (i < indexAt(knownUntilS(nowS)) ? price : null))
      return pricesAhead({ startMs: firstMs, stepS: HOUR_S, perKwh: known }, startMs + nowS * 1000, AHEAD_S)
    },
  }
}

const indexAt = (nowS: number) => Math.floor(nowS / HOUR_S) + 24 * DAYS_BEFORE

function knownUntilS(nowS: number): number {
  const day = Math.floor(nowS / DAY_S)
  return (nowS % DAY_S >= PUBLISHED_S ? day + 2 : day + 1) * DAY_S
}

/** A course of its own for every seed, always from 10 to 40 ct. */
function dayAheadPrices(seed: number): number[] {
  const raw = Array.from({ length: 24 * (DAYS_BEFORE + DAYS) }, (_, i) => {
    const day = Math.floor(i / 24)
    const weekend = day % 7 >= 5 ? WEEKEND : 1
    const wind = Math.exp(0.3 * smoothNoise(900 + seed, i / 40))
    return (OF_DAY[i % 24] as number) * weekend * wind * (1 + 0.08 * smoothNoise(950 + seed, i / 2))
  })
  const scored = raw.slice(24 * (DAYS_BEFORE + 7), 24 * (DAYS_BEFORE + 14))
  const [low, high] = [Math.min(...scored), Math.max(...scored)]
  return raw.map((value) => Math.max(0.02, CHEAPEST + ((DEAREST - CHEAPEST) * (value - low)) / (high - low)))
}

/** The heat pump that is there is not the one of the prior: each its own quality, and ice on the coil around freezing. */
function trueEfficiency({ choice, scenario, physics, boundary }: World, nowS: number): number {
  if (scenario.source !== 'heat-pump' || physics.heat.kind === 'electric') return 1
  const { outdoorC } = boundary(nowS)
  const quality = PRIOR_QUALITY * (0.85 + 0.3 * seededRandom(choice.seed * 13 + 3).uniform())
  const iced = outdoorC > -4 && outdoorC < 4 ? 1 - 0.08 * (1 - Math.abs(outdoorC) / 4) : 1
  return copOf(quality * iced, outdoorC, supplyC(outdoorC, physics.heat.supplyOffsetK, physics.heat.supplySlope) + 1)
}

/** The most expensive hours of the day a moment is in, as the prices published for it show. */
export function isDearest({ perKwh }: Market, nowS: number, hours: number): boolean {
  const day = indexAt(nowS) - (indexAt(nowS) % 24)
  const ofDay = perKwh.slice(day, day + 24)
  const limit = ofDay.toSorted((a, b) => b - a)[hours - 1] as number
  return (perKwh[indexAt(nowS)] as number) >= limit
}
