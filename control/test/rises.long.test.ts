import { expect, test } from 'vitest'
import { EVERY_FLOOR, HOUR_MS, WINTER_MS } from './room.ts'
import { simulatedRoom } from './simulated-room.ts'

const LEAVE_H = 3 * 24 + 8
const RETURN_H = 5 * 24 + 17

test.each(EVERY_FLOOR)('after an absence a room with a floor of %s is within its band by the return', (floorType) => {
  const away = {
    setAtMs: WINTER_MS,
    fromMs: WINTER_MS + LEAVE_H * HOUR_MS,
    untilMs: WINTER_MS + RETURN_H * HOUR_MS,
    targetC: 16,
  }
  const { seen } = simulatedRoom({
    floorType,
    days: 6,
    neighbours: 'alike',
    outdoorAt: (hour) => 2 * Math.sin((((hour % 24) - 9) / 12) * Math.PI),
    settings: { targetC: 21, bandK: 0.5, away },
  })
  expect(Math.min(...seen.map(({ airC }) => airC))).toBeLessThan(16.5)
  const back = seen.find(({ hour }) => hour > RETURN_H - 1e-6)
  expect(back?.feltC).toBeGreaterThan(20.5)
  expect(Math.max(...seen.map(({ feltC }) => feltC))).toBeLessThan(21.5)
})
