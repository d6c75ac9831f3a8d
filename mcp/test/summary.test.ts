import fc from 'fast-check'
import { expect, test } from 'vitest'
import { summaryOf } from '../src/summary.ts'

const HOUR_MS = 3_600_000
const FROM = new Date('2026-01-10T00:00:00.000Z')

const value = fc.option(fc.double({ min: -20, max: 40, noNaN: true }))
const share = fc.option(fc.double({ min: 0, max: 1, noNaN: true }))
const point = fc.record({
  temperature: value,
  humidity: value,
  power: share,
  setpoint: value,
  outdoor_temperature: value,
})

const historyOf = (points: object[]) => ({
  step_s: 300,
  points: points.map((each, i) => ({ ...each, at: new Date(FROM.getTime() + i * 300_000).toISOString() })) as never,
})

test('a summary stays within what was measured, and its stretches hold every point once', () => {
  fc.assert(
    fc.property(fc.array(point, { maxLength: 600 }), (points) => {
      const to = new Date(FROM.getTime() + Math.max(1, points.length) * 300_000)
      const summary = summaryOf(historyOf(points), FROM, to)
      const temperatures = points.flatMap(({ temperature }) => temperature ?? [])
      expect(summary.temperature === null).toBe(temperatures.length === 0)
      if (summary.temperature) {
        const { min, mean, max } = summary.temperature
        expect(min).toBeCloseTo(Math.min(...temperatures), 1)
        expect(max).toBeCloseTo(Math.max(...temperatures), 1)
        expect(mean).toBeGreaterThanOrEqual(min - 0.01)
        expect(mean).toBeLessThanOrEqual(max + 0.01)
      }
      const heated = summary.stretches.reduce((sum, { hours_heated }) => sum + hours_heated, 0)
      expect(heated).toBeCloseTo(points.filter(({ power }) => power !== null && power > 0).length / 12, 0)
      const isDayOrLess = points.length <= 288
      expect(summary.stretches).toHaveLength(Math.ceil(points.length / (isDayOrLess ? 12 : 288)))
    }),
  )
})

test('a day has an hour for each stretch, with the time at which it begins', () => {
  const hour = { temperature: 20, humidity: null, power: 0, setpoint: 21, outdoor_temperature: -3 }
  const { stretches, last } = summaryOf(historyOf(Array(288).fill(hour)), FROM, new Date(FROM.getTime() + 24 * HOUR_MS))
  expect(stretches.map(({ from }) => Date.parse(from))).toEqual(
    Array.from({ length: 24 }, (_, i) => FROM.getTime() + i * HOUR_MS),
  )
  expect(stretches[0]).toMatchObject({ humidity: null, mean_power: 0, hours_heated: 0 })
  expect(last).toEqual({ at: '2026-01-10T23:55:00.000Z', temperature: 20 })
})
