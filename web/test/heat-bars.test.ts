import type { BuildingEnergy, RoomEnergy } from '@hypocaust/domain'
import { expect, test } from 'vitest'
import { barsOf, comparedTo } from '../src/building/heat-bars.ts'

const room = (days: [day: string, heat: number][]) =>
  ({ id: 'a', days: days.map(([day, heat]) => ({ day, heat, heat_per_m2: heat / 10, cost: null })) }) as RoomEnergy

const energy = (from: string, to: string, ...rooms: RoomEnergy[]) => ({ from, to, rooms }) as BuildingEnergy

test('every day has a bar, also one without heat; a season has a bar a month', () => {
  const rooms = [
    room([['2026-01-02', 3]]),
    room([
      ['2026-01-02', 1],
      ['2026-01-03', 2],
    ]),
  ]
  expect(barsOf({ from: '2026-01-01', to: '2026-01-03' }, rooms)).toEqual([
    { name: '2026-01-01', parts: [0, 0], total: 0 },
    { name: '2026-01-02', parts: [3, 1], total: 4 },
    { name: '2026-01-03', parts: [0, 2], total: 2 },
  ])
  const season = barsOf({ from: '2025-11-01', to: '2026-01-03' }, rooms)
  expect(season.map(({ name, total }) => [name, total])).toEqual([
    ['2025-11', 0],
    ['2025-12', 0],
    ['2026-01', 6],
  ])
})

test('a month is compared with the same days of the last one, and only where all of them are counted', () => {
  const now = energy(
    '2026-02-01',
    '2026-02-02',
    room([
      ['2026-02-01', 4],
      ['2026-02-02', 5],
    ]),
  )
  const whole = energy(
    '2026-01-01',
    '2026-01-31',
    room([
      ['2026-01-01', 5],
      ['2026-01-02', 5],
      ['2026-01-03', 90],
    ]),
  )
  expect(comparedTo(now, whole)).toBeCloseTo(-0.1)
  const late = energy('2026-01-01', '2026-01-31', room([['2026-01-02', 5]]))
  expect(comparedTo(now, late)).toBeNull()
})
