import fc from 'fast-check'
import { expect, test } from 'vitest'
import { copOf, learnQuality, type MeteredDay, PRIOR_QUALITY } from '../src/index.ts'

/** A day of a heat pump of this quality, colder and warmer by the hour. */
const dayOf = (quality: number, meanC: number): MeteredDay => {
  const hours = Array.from({ length: 24 }, (_, hour) => ({
    heatKwh: 2 + Math.cos(hour / 4),
    outdoorC: meanC + 4 * Math.sin(hour / 4),
    supplyC: 33,
  }))
  const electricityKwh = hours.reduce(
    (sum, each) => sum + each.heatKwh / copOf(quality, each.outdoorC, each.supplyC),
    0,
  )
  return { electricityKwh, hours }
}
const days = (quality: number, count: number) => Array.from({ length: count }, (_, i) => dayOf(quality, (i % 9) - 4))

test('a heat pump that is better than the prior is learned from its meters, the more firmly the more days there are', () => {
  const week = learnQuality(PRIOR_QUALITY, days(0.5, 7))
  const month = learnQuality(PRIOR_QUALITY, days(0.5, 30))
  expect(week?.days).toBe(7)
  expect(week?.quality).toBeGreaterThan(0.47)
  expect(month?.quality).toBeCloseTo(0.5, 1)
  expect(Math.abs((month?.quality ?? 0) - 0.5)).toBeLessThan(Math.abs((week?.quality ?? 0) - 0.5))
})

test('two days, or days without heating, teach nothing', () => {
  expect(learnQuality(PRIOR_QUALITY, days(0.5, 2))).toBeNull()
  const idle = days(0.5, 20).map(({ hours }) => ({
    electricityKwh: 0.4,
    hours: hours.map((each) => ({ ...each, heatKwh: 0 })),
  }))
  expect(learnQuality(PRIOR_QUALITY, idle)).toBeNull()
})

test('a few days with a wrong counter do not matter', () => {
  const wrong = days(0.38, 20).map((day, i) =>
    i % 5 === 0 ? { ...day, electricityKwh: 2.5 * day.electricityKwh } : day,
  )
  expect(learnQuality(PRIOR_QUALITY, wrong)?.quality).toBeCloseTo(0.38, 1)
})

test('whatever meters count, the efficiency stays within reason', () => {
  const anyDay = fc.record({
    electricityKwh: fc.double({ min: 0, max: 1e6, noNaN: true }),
    hours: fc.array(
      fc.record({
        heatKwh: fc.double({ min: 0, max: 1e6, noNaN: true }),
        outdoorC: fc.double({ min: -40, max: 40, noNaN: true }),
        supplyC: fc.double({ min: 20, max: 60, noNaN: true }),
      }),
      { maxLength: 24 },
    ),
  })
  fc.assert(
    fc.property(fc.array(anyDay, { maxLength: 40 }), (all) => {
      const learned = learnQuality(PRIOR_QUALITY, all)
      if (learned === null) return
      expect(learned.quality).toBeGreaterThan(0.6 * PRIOR_QUALITY)
      expect(learned.quality).toBeLessThan(1.65 * PRIOR_QUALITY)
    }),
  )
})
