import { programmeOfNight } from '@hypocaust/domain'
import { runs } from '@hypocaust/testing/runs.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CompareTask, compareSettings, type RoomSettings } from '../src/index.ts'
import { settings } from './room.ts'
import { simulatedRoom } from './simulated-room.ts'

const NIGHT = programmeOfNight({ from: '22:30', to: '06:00', setback: 2 })
const WISHES = settings({ programme: NIGHT, timeZone: 'UTC' })
const DAYS = 7

const lived = simulatedRoom({
  days: DAYS,
  outdoorAt: (hour) => 2 + 3 * Math.sin((2 * Math.PI * (hour - 9)) / 24),
  settings: { programme: NIGHT, timeZone: 'UTC' },
})
const nowMs = lived.slots.at(-1)?.endMs ?? 0

const task = (changed: Partial<RoomSettings>): CompareTask => ({
  room: lived.state,
  history: [...lived.slots],
  forecast: null,
  nowMs,
  now: WISHES,
  changed: { ...WISHES, ...changed },
  energy: null,
})

describe('what other settings would make of a room', () => {
  test('the same settings make no difference, in the past and ahead', () => {
    const { past, ahead } = compareSettings(task({}), () => 0.3)
    expect(past?.changed).toEqual(past?.now)
    expect(ahead?.changed).toEqual(ahead?.now)
    expect(ahead?.days).toBeCloseTo(7, 0)
  })

  test('the coming week takes about as much as the recorded one, in weather like that of the recorded days', () => {
    const { past, ahead } = compareSettings(task({}), null)
    const perDay = (span: typeof past) => (span?.now.heatKwhM2 ?? 0) / (span?.days ?? 1)
    expect(Math.abs(perDay(ahead) / perDay(past) - 1)).toBeLessThan(0.2)
    expect(ahead?.now.rises.length).toBeGreaterThanOrEqual(6)
  })

  test('a lower target never takes more heat, nor costs more', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.2, max: 3, noNaN: true }), (lowerK) => {
        const { past, ahead } = compareSettings(task({ targetC: WISHES.targetC - lowerK }), () => 0.3)
        for (const span of [past, ahead]) {
          expect(span?.changed.heatKwhM2).toBeLessThanOrEqual((span?.now.heatKwhM2 ?? 0) * 1.002)
          expect(span?.changed.costM2).toBeLessThanOrEqual((span?.now.costM2 ?? 0) * 1.002)
        }
      }),
      { numRuns: runs(12) },
    )
  })

  test('cost is heat times price, and unknown where a price is', () => {
    const { past } = compareSettings(task({}), () => 0.3)
    expect(past?.now.costM2).toBeCloseTo(0.3 * (past?.now.heatKwhM2 ?? 0), 6)
    expect(compareSettings(task({}), () => null).past?.now.costM2).toBeNull()
  })

  test('a room whose record has ended days ago has no coming week', () => {
    expect(compareSettings({ ...task({}), nowMs: nowMs + 3 * 86_400_000 }, null).ahead).toBeNull()
  })
})
