import type { FloorType } from '@hypocaust/domain'
import { describe, expect, test } from 'vitest'
import { type RoomControl, stepRoom, warmAgainK } from '../src/index.ts'
import { EVERY_FLOOR, HOUR_MS, hold, input, WINTER_MS } from './room.ts'
import { beginningOf, simulatedFrom } from './simulated-room.ts'

const HOUR_S = 3600

describe('how far a room may cool and be warm again in time', () => {
  const known = (floorType: FloorType = 'screed') => hold(2, () => ({ floorType })).state
  const at = (changes = {}) => input({ nowMs: WINTER_MS + 2 * HOUR_MS, ...changes })

  test('is unknown while nothing is known of the room', () => {
    const { state } = stepRoom(null, input({ air: { kind: 'missing' } }))
    expect(warmAgainK(state, input(), 3 * HOUR_S)).toBeNull()
  })

  test.each(EVERY_FLOOR)(
    'on %s is more the longer it may take, and never more for weather ahead that is colder or milder',
    (floorType) => {
      const state = known(floorType)
      const ofHours = [0.5, 1, 3, 6, 12, 24].map((hours) => warmAgainK(state, at({ floorType }), hours * HOUR_S) ?? -1)
      expect(ofHours).toEqual(ofHours.toSorted((a, b) => a - b))
      expect(ofHours[0]).toBeGreaterThanOrEqual(0)
      expect(ofHours.at(-1)).toBeGreaterThan(1)
      for (const outdoorC of [-15, 12]) {
        const hourly = new Array(48).fill({ outdoorC, cloudPct: 80, windMs: 3, solarWm2: 0 })
        const changes = { floorType, forecast: { startMs: WINTER_MS, hourly } }
        expect(warmAgainK(state, at(changes), 6 * HOUR_S)).toBeLessThanOrEqual(ofHours[3] as number)
      }
    },
  )

  test('is nothing where the water cannot warm the room', () => {
    expect(warmAgainK(known(), at({ supply: { measuredC: 15, setC: 15 } }), 3 * HOUR_S)).toBe(0)
  })

  test('a learned room is warm again in time when people come after two days', () => {
    const floorType = 'dry'
    const story = { floorType, days: 3, outdoorAt: () => 0, settings: { targetC: 21 } } as const
    const learned = simulatedFrom(beginningOf({}), story)
    const leftMs = WINTER_MS + 72 * HOUR_MS
    const mostK = warmAgainK(learned.state as RoomControl, input({ nowMs: leftMs, floorType }), 6 * HOUR_S) ?? 0
    const vacancy = { fromMs: leftMs, untilMs: leftMs + 36 * HOUR_MS, targetC: 10, mostK }
    const { seen } = simulatedFrom(learned, { ...story, days: 5, settings: { targetC: 21, vacancy } })
    const coldest = (fromHour: number, toHour: number) =>
      Math.min(...seen.filter(({ hour }) => hour >= fromHour && hour < toHour).map(({ feltC }) => feltC))
    expect(coldest(90, 108)).toBeLessThan(20)
    expect(coldest(114, 120)).toBeGreaterThan(20.5)
  })
})
