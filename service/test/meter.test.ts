import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countedIn } from '../src/house/heat/meter.ts'

const HOUR = 3_600_000
const at = (hour: number, kwh: number) => ({ readAt: hour * HOUR, kwh })
const hourly = (...counters: number[]) => counters.map((kwh, hour) => at(hour, kwh))

describe('what a meter counted', () => {
  test('is the rise of its counter, in proportion within an hour', () => {
    expect(countedIn(hourly(100, 102, 105), 0, 2 * HOUR)).toEqual({ kwh: 5, covered: 1 })
    expect(countedIn(hourly(100, 102, 105), 0.5 * HOUR, 1.5 * HOUR)).toEqual({ kwh: 2.5, covered: 1 })
  })

  test('goes on after the meter began again from zero, or rolled over', () => {
    expect(countedIn(hourly(99_998, 99_999, 1, 2), 0, 3 * HOUR).kwh).toBe(3)
  })

  test('leaves out a jump that no heat source could have made, as of another unit', () => {
    expect(countedIn(hourly(100, 102, 102_500, 102_502), 0, 3 * HOUR)).toEqual({ kwh: 4, covered: 2 / 3 })
  })

  test('counts over a gap, and says that it was not covered', () => {
    const gap = [at(0, 100), at(1, 101), at(11, 121), at(12, 122)]
    expect(countedIn(gap, 0, 12 * HOUR)).toEqual({ kwh: 22, covered: 2 / 12 })
  })

  test('is nothing where there is one reading or none', () => {
    expect(countedIn([], 0, HOUR)).toEqual({ kwh: 0, covered: 0 })
    expect(countedIn([at(0, 100)], 0, HOUR)).toEqual({ kwh: 0, covered: 0 })
  })

  test('of a span is what it counted in the parts of the span, whatever the counter did', () => {
    const readings = fc
      .array(fc.record({ hours: fc.integer({ min: 1, max: 30 }), kwh: fc.double({ min: 0, max: 300, noNaN: true }) }))
      .map((steps) => {
        let hour = 0
        return steps.map(({ hours, kwh }) => {
          hour += hours
          return at(hour, kwh)
        })
      })
    fc.assert(
      fc.property(readings, fc.integer({ min: 0, max: 200 }), fc.integer({ min: 0, max: 200 }), (counters, a, b) => {
        const [middle, end] = [Math.min(a, b) * HOUR, Math.max(a, b) * HOUR]
        const whole = countedIn(counters, 0, end)
        const parts = countedIn(counters, 0, middle).kwh + countedIn(counters, middle, end).kwh
        expect(parts).toBeCloseTo(whole.kwh, 6)
        expect(whole.kwh).toBeGreaterThanOrEqual(0)
        expect(whole.covered).toBeGreaterThanOrEqual(0)
        expect(whole.covered).toBeLessThanOrEqual(1)
      }),
    )
  })
})
