import { HOUR_S } from '@hypocaust/domain/facts'
import { expect, test } from 'vitest'
import { outdoorIn, secondsOf } from '../src/building/outdoor-days.ts'

const THERE = 'America/Los_Angeles'

test('how cold a day was is that of the day of the building, not of UTC', () => {
  const { fromS, toS } = secondsOf({ from: '2026-01-14', to: '2026-01-15' }, THERE)
  expect([fromS, toS].map((atS) => new Date(atS * 1000).toISOString())).toEqual([
    '2026-01-14T08:00:00.000Z',
    '2026-01-16T08:00:00.000Z',
  ])
  const times = Array.from({ length: 48 }, (_, hour) => fromS + hour * HOUR_S)
  const history = { times, outdoor: times.map((_, hour) => (hour < 24 ? -5 : 3)) }
  expect(outdoorIn('2026-01-14', history, THERE)).toBe(-5)
  expect(outdoorIn('2026-01-15', history, THERE)).toBe(3)
  expect(outdoorIn('2026-01', history, THERE)).toBe(-1)
  expect(outdoorIn('2026-01-16', history, THERE)).toBeNull()
})
