import { programmeOfNight } from '@hypocaust/domain'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { planTask } from '../src/decide/decide.ts'
import { copOf, type Energy, PRIOR_QUALITY, type Prices, type Strategy, stepRoom } from '../src/index.ts'
import { relativeCosts } from '../src/model/heat-cost.ts'
import { modelOf, nothingLearned } from '../src/model/model.ts'
import type { Belief } from '../src/model/observer.ts'
import { aimsAhead } from '../src/plan/aim.ts'
import { build } from '../src/plan/planner.ts'
import { decisionsOn, recordedDays } from './recorded-days.ts'
import { EVERY_FLOOR, HOUR_MS, input, settings, WINTER_MS } from './room.ts'
import { type Seen, simulatedRoom } from './simulated-room.ts'

/** By the hour of the day, for some days. */
const hourly = (priceOf: (hour: number) => number, days = 6): Prices => ({
  startMs: WINTER_MS,
  stepS: 3600,
  perKwh: Array.from({ length: 24 * days }, (_, hour) => priceOf(hour % 24)),
})
/** Expensive in the morning and in the evening, cheap at night and around noon: 1 to 4. */
const isDear = (hour: number) => (hour >= 7 && hour < 10) || (hour >= 17 && hour < 21)
const TWO_PEAKS = hourly((hour) => (isDear(hour) ? 0.4 : hour < 6 || (hour >= 11 && hour < 15) ? 0.1 : 0.2))

const flat = (perKwh: number): Prices => hourly(() => perKwh)

test('without prices, or with prices and sources that are always the same, every decision on recorded days is the same', () => {
  const anyFlat: fc.Arbitrary<Energy> = fc.record({
    prices: fc.option(fc.double({ min: 0.001, max: 500, noNaN: true }).map(flat)),
    source: fc.option(
      fc.record({
        kind: fc.constantFrom('boiler' as const, 'district' as const, 'electric' as const),
        share: fc.double({ min: 0.3, max: 1.2, noNaN: true }),
      }),
    ),
  })
  fc.assert(
    fc.property(
      fc.constantFrom(...EVERY_FLOOR),
      fc.constantFrom<Strategy>('comfort-first', 'hold', 'saving'),
      fc.integer({ min: 1, max: 50 }),
      anyFlat,
      (floorType, strategy, seed, energy) => {
        const days = recordedDays(floorType, 1, seed)
        const without = decisionsOn(days, floorType, strategy)
        expect(decisionsOn(days, floorType, strategy, { energy: null })).toEqual(without)
        expect(decisionsOn(days, floorType, strategy, { energy })).toEqual(without)
      },
    ),
    { numRuns: 5 },
  )
})

test('the same days with prices that change by a tenth are decided otherwise', () => {
  const days = recordedDays('screed', 1, 1)
  const energy: Energy = { prices: hourly((hour) => (isDear(hour) ? 1.1 : 1)), source: null }
  expect(decisionsOn(days, 'screed', 'hold', { energy })).not.toEqual(decisionsOn(days, 'screed', 'hold'))
})

test('without prices a plan on recorded days pays for heat in kWh, and for nothing above the band while nobody is there', () => {
  const taken = { settings: settings({ programme: programmeOfNight(NIGHT), timeZone: 'UTC' }) }
  for (const floorType of EVERY_FLOOR) {
    const last = recordedDays(floorType, 1, 3).at(-1)
    const now = input({ ...taken, floorType, nowMs: last?.nowMs ?? 0, weather: last?.weather ?? null })
    const { state } = stepRoom(null, now)
    const task = planTask(state, state.belief as Belief, now, aimsAhead(now.settings, floorType, now.nowMs))
    const { problem, ahead } = build(task)
    ahead.endS.forEach((endS, k) => {
      expect(problem.price[k]).toBe((endS - (ahead.endS[k - 1] ?? 0)) / 3.6e6)
      const above = problem.limits.flatMap(({ row, sign }, i) =>
        row === 0 && sign === -1 ? [problem.weight[k * problem.limits.length + i]] : [],
      )
      if (!ahead.aims[k]?.occupied) expect(above).toEqual([0, 0, 0])
    })
  }
})

const NIGHT = { from: '22:30', to: '06:00', setback: 2 }
const DAYS = 3

/** By what it was simulated with: several tests look at the same days. */
const winters = new Map<string, Seen[]>()

function winterWith(
  strategy: Strategy,
  energy: Energy | undefined,
  floorType: (typeof EVERY_FLOOR)[number] = 'screed',
): Seen[] {
  const name = JSON.stringify([strategy, energy, floorType])
  const known = winters.get(name)
  if (known) return known
  const { seen } = simulatedRoom({
    floorType,
    days: DAYS,
    settings: { strategy, programme: programmeOfNight(NIGHT), timeZone: 'UTC' },
    ...(energy && { energy }),
  })
  const winter = seen.filter(({ hour }) => hour >= 24)
  winters.set(name, winter)
  return winter
}

const costOf = (seen: Seen[], { perKwh }: Prices) =>
  seen.reduce((sum, { hour, heatWhM2 }) => sum + (heatWhM2 / 1000) * (perKwh[Math.floor(hour)] as number), 0)
const isDay = ({ hour }: Seen) => hour % 24 >= 6 && hour % 24 < 22.5
const belowKh = (seen: Seen[]) =>
  seen.reduce((sum, each) => sum + Math.max(0, (isDay(each) ? 20.5 : 18.5) - each.feltC) / 12, 0)
const aboveKh = (seen: Seen[]) => seen.reduce((sum, each) => sum + Math.max(0, each.feltC - 21.5) / 12, 0)

test.each(EVERY_FLOOR)(
  'a floor of %s is heated before the expensive hours rather than in them, as comfortable as before',
  (floorType) => {
    const without = winterWith('hold', undefined, floorType)
    const priced = winterWith('hold', { prices: TWO_PEAKS, source: null }, floorType)
    expect(costOf(priced, TWO_PEAKS)).toBeLessThan(0.93 * costOf(without, TWO_PEAKS))
    expect(belowKh(priced)).toBeLessThan(belowKh(without) + 0.5)
    expect(aboveKh(priced)).toBeLessThan(0.5)
  },
)

test('comfort first holds the setpoint in expensive hours more firmly than balanced, and still costs less than no prices', () => {
  const without = winterWith('hold', undefined)
  const balanced = winterWith('hold', { prices: TWO_PEAKS, source: null })
  const firm = winterWith('comfort-first', { prices: TWO_PEAKS, source: null })
  const shortKh = (seen: Seen[]) => seen.filter(isDay).reduce((sum, { feltC }) => sum + Math.max(0, 21 - feltC) / 12, 0)
  expect(shortKh(firm)).toBeLessThan(shortKh(balanced))
  expect(costOf(balanced, TWO_PEAKS)).toBeLessThan(costOf(firm, TWO_PEAKS))
  expect(costOf(firm, TWO_PEAKS)).toBeLessThan(costOf(without, TWO_PEAKS))
})

test.each(['saving', 'hold'] as const)(
  '%s: a night whose heat is paid for by the grid does not make a room warmer than it may be by day',
  (strategy) => {
    const paid = hourly((hour) => (hour < 6 ? -0.2 : 0.2))
    const nights = winterWith(strategy, { prices: paid, source: null }).filter((each) => !isDay(each))
    expect(Math.max(...nights.map(({ feltC }) => feltC))).toBeLessThan(21.7)
    const [first, last] = [nights[0] as Seen, nights.at(-1) as Seen]
    expect([first.decision.mode, last.decision.mode]).toEqual(['heat', 'heat'])
  },
)

const STEPS = Array.from({ length: 48 }, (_, hour) => ({
  fromMs: WINTER_MS + hour * HOUR_MS,
  toMs: WINTER_MS + (hour + 1) * HOUR_MS,
  outdoorC: hour % 24 === 14 ? 8 : 0,
}))
const water = modelOf('screed', nothingLearned())

test('costs are multiples of their mean, whatever the currency, and the last day of prices goes on', () => {
  const day = hourly((hour) => (hour === 3 ? 10 : 40), 1)
  const costs = relativeCosts({ prices: day, source: null }, water, STEPS) as number[]
  expect(costs.reduce((sum, cost) => sum + cost, 0) / costs.length).toBeCloseTo(1)
  expect(costs[3]).toBeCloseTo((costs[4] as number) / 4)
  expect(costs.slice(24)).toEqual(costs.slice(0, 24))
  const cents = { ...day, perKwh: day.perKwh.map((price) => price * 100) }
  relativeCosts({ prices: cents, source: null }, water, STEPS)?.forEach((cost, k) => {
    expect(cost).toBeCloseTo(costs[k] as number)
  })
})

test('quarter hours count by their share of a step', () => {
  const prices: Prices = { startMs: WINTER_MS, stepS: 900, perKwh: [1, 2, 3, 6, 2, 2, 2, 2] }
  const halfHour = (i: number) => ({
    fromMs: WINTER_MS + i * 1_800_000,
    toMs: WINTER_MS + (i + 1) * 1_800_000,
    outdoorC: 0,
  })
  const costs = relativeCosts({ prices, source: null }, water, [0, 1, 2].map(halfHour)) as number[]
  expect((costs[1] as number) / (costs[0] as number)).toBeCloseTo(4.5 / 1.5)
  expect((costs[2] as number) / (costs[0] as number)).toBeCloseTo(2 / 1.5)
})

test('a heat pump makes heat cheapest when it is warm outdoors, and a mat in a house with a boiler ignores the price of gas', () => {
  const pump = relativeCosts({ prices: null, source: { kind: 'heat-pump', quality: PRIOR_QUALITY } }, water, STEPS)
  expect(pump?.indexOf(Math.min(...(pump ?? [])))).toBe(14)
  const mat = modelOf('electric', nothingLearned())
  const gas: Energy = { prices: TWO_PEAKS, source: { kind: 'boiler', share: 0.95 } }
  expect(relativeCosts(gas, mat, STEPS)).toBeNull()
  expect(relativeCosts({ prices: TWO_PEAKS, source: { kind: 'heat-pump', quality: 0.4 } }, mat, STEPS)).toEqual(
    relativeCosts({ prices: TWO_PEAKS, source: null }, mat, STEPS),
  )
})

test.each([
  [7, 35, 4.6],
  [2, 35, 3.9],
  [-7, 35, 3.1],
  [2, 45, 3.1],
])(
  'the prior of an air-to-water heat pump at %s °C outdoors and water of %s °C is near %s',
  (outdoorC, supplyC, cop) => {
    expect(Math.abs(copOf(PRIOR_QUALITY, outdoorC, supplyC) - cop)).toBeLessThan(0.1)
  },
)
