import { DAY_MS } from '@hypocaust/domain'
import { VirtualHouse } from '@hypocaust/simulator'
import { expect, test } from 'vitest'
import { housePlan } from '../src/demo/house.ts'
import { liveUntil } from '../src/demo/warm-up.ts'

const DAYS = 2

test('the demo’s house is heated also on the days before the control takes over', () => {
  const untilMs = Date.UTC(2026, 0, 20, 14)
  const house = new VirtualHouse(housePlan(untilMs - DAYS * DAY_MS))
  const { readings } = liveUntil(house, untilMs, () => undefined, null, 0)
  const lastDay = readings.filter(({ atMs }) => atMs > untilMs - DAY_MS)
  const coldest = Math.min(...lastDay.map(({ temperature }) => temperature))
  expect(coldest).toBeGreaterThan(15)
})
