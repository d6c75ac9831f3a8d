import { expect, test } from 'vitest'
import type { Strategy } from '../src/index.ts'
import { EVERY_FLOOR } from './room.ts'
import { type Seen, simulatedRoom } from './simulated-room.ts'

const TARGET_C = 21
const NIGHT = { from: '22:30', to: '06:00', setback: 2 }

const DAYS = 3
const steadyWinter = (strategy: Strategy, floorType: (typeof EVERY_FLOOR)[number]) =>
  simulatedRoom({ floorType, days: DAYS, settings: { strategy, nightMode: NIGHT, timeZone: 'UTC' } }).seen.filter(
    ({ hour }) => hour >= 24 * (DAYS - 2) && hour % 24 >= 6 && hour % 24 < 22.5,
  )

const meanOffsetK = (seen: Seen[]) => seen.reduce((sum, { feltC }) => sum + feltC - TARGET_C, 0) / seen.length

test.each(EVERY_FLOOR)('in steady weather a room with a floor of %s is held at its setpoint', (floorType) => {
  const occupied = steadyWinter('hold', floorType)
  expect(Math.abs(meanOffsetK(occupied))).toBeLessThan(0.1)
  const lowerHalf = occupied.filter(({ feltC }) => feltC < TARGET_C - 0.25)
  expect(lowerHalf.length / occupied.length).toBeLessThan(0.2)
})

test('saving uses the whole band: the room rides near the lower edge of it', () => {
  const occupied = steadyWinter('saving', 'screed')
  expect(meanOffsetK(occupied)).toBeLessThan(-0.25)
  expect(occupied.filter(({ feltC }) => feltC < TARGET_C - 0.6)).toEqual([])
})
