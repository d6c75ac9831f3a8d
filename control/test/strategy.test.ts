import { programmeOfNight } from '@hypocaust/domain'
import { expect, test } from 'vitest'
import type { Strategy } from '../src/index.ts'
import { LEARNED } from '../src/model/model.ts'
import { EVERY_FLOOR, HOUR_MS, hold, settings } from './room.ts'
import { type Seen, simulatedRoom } from './simulated-room.ts'

const TARGET_C = 21
const NIGHT = { from: '22:30', to: '06:00', setback: 2 }

const DAYS = 3
const steadyWinter = (strategy: Strategy, floorType: (typeof EVERY_FLOOR)[number]) =>
  simulatedRoom({
    floorType,
    days: DAYS,
    settings: { strategy, programme: programmeOfNight(NIGHT), timeZone: 'UTC' },
  }).seen.filter(({ hour }) => hour >= 24 * (DAYS - 2) && hour % 24 >= 6 && hour % 24 < 22.5)

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
  expect(occupied.filter(({ feltC }) => feltC < TARGET_C - 0.65)).toEqual([])
})

const SPRING_NIGHT_MS = Date.UTC(2026, 3, 11, 22)

/** A cold and clear night, and a day whose sun heats the room through a large south window far above its band. */
const beforeSunnyDay = (strategy: Strategy, airC: number) => {
  const hourly = Array.from({ length: 60 }, (_, ahead) => {
    const hour = (ahead + 22) % 24
    const outdoorC = 7 + 5 * Math.sin((2 * Math.PI * (hour - 9)) / 24)
    return { outdoorC, cloudPct: 0, windMs: 3, solarWm2: Math.max(0, 750 * Math.sin((Math.PI * (hour - 6)) / 13)) }
  })
  const now = () => ({
    settings: settings({ strategy, timeZone: 'UTC' }),
    location: { lat: 51, lng: 0 },
    air: { kind: 'fresh', airC, ageS: 0 } as const,
    weather: { outdoorC: 3, cloudPct: 0, windMs: 3, solarWm2: 0 },
    forecast: { startMs: SPRING_NIGHT_MS, hourly },
  })
  const { state } = hold(0.5, now, null, SPRING_NIGHT_MS)
  const learned = state.learned.map((value, i) => (LEARNED[i] === 'sunSouth' ? 1.6 : value))
  return hold(4, now, { ...state, learned }, SPRING_NIGHT_MS + 0.5 * HOUR_MS)
}

test('a room is not left far below its setpoint at night because the next day will be too sunny', () => {
  expect(beforeSunnyDay('hold', TARGET_C - 1.4).decision.share).toBeGreaterThan(0.5)
  expect(beforeSunnyDay('hold', TARGET_C - 0.6).decision.share).toBeLessThan(0.5)
  expect(beforeSunnyDay('saving', TARGET_C - 1.4).decision.share).toBe(0)
})
