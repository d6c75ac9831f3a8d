import type { RoomHistory } from '@hypocaust/domain'
import { expect, test } from 'vitest'
import { areaOf, lineOf, ticksIn } from '../src/building/strip-shapes.ts'
import { fromFirstValue } from '../src/room/moment.ts'
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
