import { expect, test } from 'vitest'
import { indexAt, stepOf } from '../src/room/moment-steps.ts'

/** Measured every five minutes for an hour, then planned every half hour. */
const times = [...Array.from({ length: 13 }, (_, i) => i * 300), 5400, 7200]

test('now is in the middle where the plan reaches as far as what was measured', () => {
  expect(stepOf(times, 12)).toBe(stepOf(times, 14) / 2)
})

test('every moment is found again at its step', () => {
  expect(times.map((_, i) => indexAt(times, stepOf(times, i), 0))).toEqual(times.map((_, i) => i))
})

test('a key moves on by one moment, also where they lie further apart', () => {
  const keyed = (index: number, by: 1 | -1) => indexAt(times, stepOf(times, index) + by, index)
  expect([keyed(5, -1), keyed(5, 1), keyed(12, 1), keyed(13, 1), keyed(13, -1)]).toEqual([4, 6, 13, 14, 12])
  expect([keyed(14, 1), keyed(0, -1)]).toEqual([14, 0])
})

test('a chart without a moment has its slider at the beginning', () => {
  expect([stepOf([], 0), indexAt([], 0, 0)]).toEqual([0, 0])
})
