import { expect, test } from 'vitest'
import { runHealthy } from '../src/watch/healthy.ts'
import { runSwapped } from '../src/watch/swapped.ts'

test('in a healthy house no room is reported', async () => {
  const { rooms, swapped } = await runHealthy({ scenario: 'winter', seed: 4, days: 5, plantFile: null })
  expect(swapped).toEqual([])
  expect(rooms).toHaveLength(5)
  for (const room of rooms) expect(room).toMatchObject({ alarms: 0, shortAfterH: null })
})

test('the rooms of a house whose loops get too little water are reported on the third day', async () => {
  const { rooms } = await runHealthy({ scenario: 'starved-loop', seed: 1, days: 3, plantFile: null })
  expect(rooms.flatMap(({ floorType, shortAfterH }) => (shortAfterH === null ? [] : [floorType]))).toEqual([
    ...['screed', 'dry', 'timber', 'slab'],
  ])
})

test('two rooms with the sensor of each other are noticed on the third day', () => {
  const { noticedAfterH } = runSwapped({ floors: ['screed', 'electric'], seed: 4, scenario: 'winter' })
  expect(noticedAfterH).toBeLessThanOrEqual(72)
})
