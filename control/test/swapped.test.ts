import { FLOOR_TYPES } from '@hypocaust/domain'
import { type Pair, slotsOfTwo } from '@hypocaust/testing/two-rooms.ts'
import { expect, test } from 'vitest'
import { seemSwapped } from '../src/index.ts'
import { WINTER_MS } from './room.ts'

const PAIRS = FLOOR_TYPES.flatMap((one, i) => FLOOR_TYPES.slice(i).map((other): Pair['floors'] => [one, other]))

function seen(pair: Pair): boolean {
  const [one = [], other = []] = slotsOfTwo(pair, WINTER_MS)
  const [first, second] = pair.floors
  return seemSwapped({ floorType: first, slots: one }, { floorType: second, slots: other }, { lat: 52.5, lng: 13.4 })
}

test.each(PAIRS)('%s and %s with the sensor of each other seem swapped after three days', (...floors) => {
  expect(seen({ floors, days: 3, sensors: [1, 0] })).toBe(true)
  expect(seen({ floors, days: 1, sensors: [1, 0] })).toBe(false)
})

test.each(PAIRS)('%s and %s with their own sensors do not, nor with a valve that stays shut', (...floors) => {
  expect(seen({ floors, days: 3, sensors: [0, 1] })).toBe(false)
  expect(seen({ floors, days: 3, sensors: [0, 1], stuck: [0], outdoorC: -10 })).toBe(false)
  expect(seen({ floors, days: 3, sensors: [0, 1], stuck: [0, 1], outdoorC: -10 })).toBe(false)
})
