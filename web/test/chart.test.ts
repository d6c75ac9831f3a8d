import type { RoomHistory } from '@hypocaust/domain'
import { expect, test } from 'vitest'
import { areaOf, lineOf, ticksIn } from '../src/building/strip-shapes.ts'
import { fromFirstValue } from '../src/room/moment.ts'
import { measuredPart, planWithin, withinReach } from '../src/room/plan-shown.ts'
import { spanUnder } from '../src/room/span-under.ts'

const column = (...values: (number | null)[]) => values

test('a year with two weeks of data shows the two weeks', () => {
  const nothing = column(null, null, null, null)
  const history: RoomHistory = {
    step_s: 86_400,
    times: [1, 2, 3, 4],
    temperature: column(null, null, 20, null),
    temperature_min: nothing,
    temperature_max: nothing,
    humidity: nothing,
    dew_point: nothing,
    surface_humidity: nothing,
    target: column(21, 21, 21, 21),
    power: nothing,
    outdoor: column(-1, -2, -3, -4),
  }
  expect(fromFirstValue(history)).toMatchObject({ times: [3, 4], temperature: [20, null], outdoor: [-3, -4] })
  const empty = { ...history, temperature: nothing }
  expect(fromFirstValue(empty)).toBe(empty)
})

test('one finger moves a chart in time, two zoom around what lies between them', () => {
  const day = { fromS: 0, toS: 1000 }
  expect(spanUnder([{ startX: 10, x: 12 }], day, 100)).toBeUndefined()
  expect(spanUnder([{ startX: 20, x: 70 }], day, 100)).toEqual([-500, 500])
  const apart = [
    { startX: 40, x: 30 },
    { startX: 60, x: 70 },
  ]
  expect(spanUnder(apart, day, 100)).toEqual([250, 750])
})

test('a strip has a gap where values are missing for long, and is as high as the power', () => {
  const size = { width: 100, height: 50 }
  expect(lineOf(column(20, ...Array.from({ length: 8 }, () => null), 21), size)).toMatch(/^M[^ML]+M[^ML]+$/)
  expect(lineOf(column(null, null), size)).toBe('')
  expect(areaOf(column(0, 1, null, 0.5), size)).toBe('M25.0 50v-25.0h25.0v25.0zM75.0 50v-12.5h25.0v12.5z')
})

test('the hours under the strips are the building’s, also where clocks are half an hour off', () => {
  const fromS = Date.UTC(2026, 0, 1) / 1000
  expect(ticksIn(fromS, fromS + 86_400, 21_600, 'Europe/Oslo').map((atS) => (atS - fromS) / 3600)).toEqual([
    5, 11, 17, 23,
  ])
})

const H = 3600
const plan = {
  times: [11, 12, 30, 40].map((h) => h * H),
  setpoint: [21, 21, 19, 19],
  temperature: [20, 21, 19.5, 19],
  error: [0.1, 0.2, 0.4, 0.5],
  power: [1, 0.5, 0, 0],
  price: [null, null, null, null],
}
const day = { fromS: -14 * H, toS: 10 * H }

test('a chart that is dragged keeps the part of the plan that it still shows', () => {
  expect(planWithin(plan, { fromS: 0, toS: 30 * H })?.times).toEqual([11 * H, 12 * H, 30 * H])
  expect(planWithin(plan, { fromS: 12 * H, toS: 20 * H })).toMatchObject({ times: [12 * H], temperature: [21] })
  expect(planWithin(plan, { fromS: -40 * H, toS: 9 * H })).toBeNull()
  // The second day of a plan is too far.
  expect(planWithin(plan, { fromS: 0, toS: 99 * H })?.times).toHaveLength(3)
})

test('a chart is dragged to the end of its plan and no further, and asks for no measurements of the future', () => {
  expect(withinReach({ fromS: 20 * H, toS: 60 * H }, day, true)).toEqual({ fromS: -6 * H, toS: 34 * H })
  expect(withinReach({ fromS: 0, toS: 20 * H }, day, false)).toEqual({ fromS: -10 * H, toS: 10 * H })
  expect(measuredPart({ fromS: 0, toS: 20 * H }, day, 300)).toEqual({ fromS: 0, toS: 10 * H })
  expect(measuredPart({ fromS: 12 * H, toS: 20 * H }, day, 300)).toEqual({ fromS: 10 * H - 300, toS: 10 * H })
})
