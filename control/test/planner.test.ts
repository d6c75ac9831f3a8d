import type { FloorType } from '@hypocaust/domain'
import { expect, test } from 'vitest'
import type { Energy } from '../src/model/heat-cost.ts'
import { LEARNED, type LearnedName, modelOf, nothingLearned } from '../src/model/model.ts'
import { makePlan, planPath } from '../src/plan/planner.ts'
import { EVERY_FLOOR, HOUR_MS, WINTER_MS } from './room.ts'

const SIX_MS = WINTER_MS + 6 * HOUR_MS

/** A light room behind large windows that loses little. */
const SUNNY_ROOM: Partial<Record<LearnedName, number>> = {
  floorMass: -0.7,
  floorResistance: 0.6,
  heat: -0.3,
  supplyOffsetK: 3.5,
  airLoss: -0.55,
  wallLoss: -0.15,
  wallMass: -0.75,
  biasWm2: 2.9,
}

/** The share planned at six in the morning of a day with some sun; the sun of the next day is given. */
function shareAtSix(floorType: FloorType, nextDayWm2: number): number {
  const model = modelOf(
    floorType,
    LEARNED.map((name) => SUNNY_ROOM[name] ?? 0),
  )
  const hourOf = (atMs: number) => (atMs - WINTER_MS) / HOUR_MS
  const outsideAt = (atMs: number) => {
    const height = Math.max(0, Math.cos((((hourOf(atMs) % 24) - 13.5) / 9) * Math.PI))
    const solarGainWm2 = height * (hourOf(atMs) < 35 ? 34 : nextDayWm2)
    return { outdoorC: 5 + 3 * height, windMs: 3, solarGainWm2, peopleWm2: 0 }
  }
  return makePlan({
    floorType,
    model,
    belief: { mean: [19.7, 19.7, 19.4, 19.4, 0, 0], spread: [] },
    nowMs: SIX_MS,
    blockS: 1800,
    outsideAt,
    sunnierAt: outsideAt,
    mostWithin: () => 1,
    aimAt: (atMs) => {
      const occupied = hourOf(atMs) % 24 >= 6 && hourOf(atMs) % 24 < 22
      const targetC = occupied ? 21 : 19
      return { targetC, lowC: targetC - 0.5, highC: targetC + 0.5, occupied, reason: 'target' }
    },
    targetOf: 'air' as const,
    floorMinimum: null,
    maxFloorC: 28,
    doubtK: 0.15,
    strategy: 'saving',
    energy: null,
  }).power
}

test.each<FloorType>(['dry', 'electric'])(
  'a light floor (%s) is heated less in the morning when the next afternoon will be too sunny',
  (floorType) => {
    expect(shareAtSix(floorType, 5)).toBeGreaterThan(0.1)
    expect(shareAtSix(floorType, 70)).toBeLessThan(0.5 * shareAtSix(floorType, 5))
  },
)

const isExpensive = (hour: number) => (hour >= 7 && hour < 10) || (hour >= 17 && hour < 21)
const TWO_PEAKS: Energy = {
  prices: {
    startMs: WINTER_MS,
    stepS: 3600,
    perKwh: Array.from({ length: 96 }, (_, h) => (isExpensive(h % 24) ? 0.4 : 0.1)),
  },
  source: null,
}

const hourOfDay = (atMs: number) => ((atMs - WINTER_MS) / HOUR_MS) % 24

type Sun = { forecastWm2: number; possibleWm2: number }

/** Planned at eight in the evening for two days with sun. */
function plannedBeforeSun(floorType: FloorType, energy: Energy | null, { forecastWm2, possibleWm2 }: Sun) {
  const outsideWith = (sunWm2: number) => (atMs: number) => {
    const height = Math.max(0, Math.cos(((hourOfDay(atMs) - 12.5) / 9) * Math.PI))
    return { outdoorC: 1 + 4 * height, windMs: 3, solarGainWm2: sunWm2 * height, peopleWm2: 0 }
  }
  const { endS, heatKwhM2 } = planPath({
    floorType,
    model: modelOf(floorType, nothingLearned()),
    belief: { mean: [21.5, 21.3, 20.8, 20.9, 0, 0], spread: [] },
    nowMs: WINTER_MS + 20 * HOUR_MS,
    blockS: 1800,
    outsideAt: outsideWith(forecastWm2),
    sunnierAt: outsideWith(possibleWm2),
    mostWithin: () => 1,
    aimAt: (atMs) => {
      const occupied = hourOfDay(atMs) >= 6 && hourOfDay(atMs) < 22.5
      const targetC = occupied ? 21 : 19
      return { targetC, lowC: targetC - 0.5, highC: targetC + 0.5, occupied, reason: 'target' }
    },
    targetOf: 'air' as const,
    floorMinimum: null,
    maxFloorC: 28,
    doubtK: 0.15,
    strategy: 'saving',
    energy,
  })
  return heatKwhM2.map((heat, k) => ({ heat, hour: 20 + (endS[k] as number) / 3600 - 0.01 }))
}

const heatOf = (steps: { heat: number }[]) => steps.reduce((sum, { heat }) => sum + heat, 0)

const expensiveHeatBeforeSun = (floorType: FloorType, energy: Energy | null) =>
  heatOf(
    plannedBeforeSun(floorType, energy, { forecastWm2: 60, possibleWm2: 60 }).filter(({ hour }) =>
      isExpensive(hour % 24),
    ),
  )

test.each(EVERY_FLOOR)('less cheap heat is stored (%s) where the sun may come after all', (floorType) => {
  const untilNoon = (energy: Energy | null, possibleWm2: number) =>
    heatOf(plannedBeforeSun(floorType, energy, { forecastWm2: 15, possibleWm2 }).filter(({ hour }) => hour < 36))
  expect(untilNoon(TWO_PEAKS, 60)).toBeLessThan(0.99 * untilNoon(TWO_PEAKS, 15))
  expect(untilNoon(null, 60)).toBe(untilNoon(null, 15))
})

test.each(EVERY_FLOOR)('a room that the sun takes above its band (%s) avoids expensive hours as well', (floorType) => {
  const without = expensiveHeatBeforeSun(floorType, null)
  expect(without).toBeGreaterThan(0.1)
  expect(expensiveHeatBeforeSun(floorType, TWO_PEAKS)).toBeLessThan(0.4 * without)
})
