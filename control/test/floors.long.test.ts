import type { FloorTime } from '@hypocaust/domain'
import { runs } from '@hypocaust/testing/runs.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { explain } from '../src/index.ts'
import { EVERY_FLOOR, WINTER_MS } from './room.ts'
import { type Seen, simulatedRoom } from './simulated-room.ts'

const MORNING: FloorTime = { temperature: 24, from: '06:00', to: '08:00' }
const MILD = { outdoorAt: () => 12, gainsAt: () => 4 }
/** The stories begin at midnight UTC. */
const UTC = { timeZone: 'UTC' }
const withMinimum = { ...UTC, floorTimes: [MORNING] }
const held = { ...UTC, targetOf: 'floor' as const, targetC: 26 }

/** Each day at an hour, after the first. */
const at = (seen: readonly Seen[], ofDay: number) =>
  seen.filter(({ hour }) => Math.abs((hour % 24) - ofDay) < 0.01 && hour > 24)

describe('a floor with a minimum', () => {
  test.each(EVERY_FLOOR)('of %s is warm by the time, and colder without', (floorType) => {
    const story = { floorType, days: 4, startC: 21.5, ...MILD }
    const warm = at(simulatedRoom({ ...story, settings: withMinimum }).seen, 6)
    const plain = at(simulatedRoom({ ...story, settings: UTC }).seen, 6)
    expect(warm).toHaveLength(3)
    for (const { floorC } of warm) expect(floorC).toBeGreaterThan(23.6)
    for (const { floorC } of plain) expect(floorC).toBeLessThan(23.3)
  })

  test('is warm by the time with prices too', () => {
    const perKwh = Array.from({ length: 24 * 6 }, (_, hour) => (hour % 24 < 5 ? 0.1 : 0.4))
    const energy = { prices: { startMs: WINTER_MS, stepS: 3600, perKwh }, source: null, grid: null }
    const { seen } = simulatedRoom({ days: 4, startC: 21.5, ...MILD, energy, settings: withMinimum })
    for (const { floorC } of at(seen, 6)) expect(floorC).toBeGreaterThan(23.7)
    expect(at(seen, 6)).toHaveLength(3)
  })

  test('warms its room to at most a kelvin above the band', () => {
    const hot = { ...UTC, floorTimes: [{ temperature: 29, from: '00:00', to: '00:00' }] }
    const { seen } = simulatedRoom({ floorType: 'screed', days: 6, startC: 21.5, ...MILD, settings: hot })
    const settled = seen.filter(({ hour }) => hour > 48)
    expect(Math.max(...settled.map(({ feltC }) => feltC))).toBeLessThan(22.5 + 0.3)
    expect(Math.max(...settled.map(({ feltC }) => feltC))).toBeGreaterThan(21.8)
  })

  const times = fc.array(
    fc.record({
      temperature: fc.double({ min: 15, max: 35, noNaN: true }),
      from: fc.constantFrom('00:00', '05:30', '06:00', '22:00'),
      to: fc.constantFrom('00:00', '08:00', '06:00', '23:30'),
    }),
    { minLength: 1, maxLength: 3 },
  )

  test('never gets warmer than its covering may become', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...EVERY_FLOOR),
        times,
        fc.double({ min: 20, max: 32, noNaN: true }),
        fc.constantFrom('air' as const, 'floor' as const),
        (floorType, floorTimes, maxFloorC, targetOf) => {
          const held = targetOf === 'floor' ? { targetOf, targetC: 33 } : {}
          const { seen } = simulatedRoom({
            ...{ floorType, days: 2, startC: 18, hasProbe: true },
            settings: { ...UTC, floorTimes, maxFloorC, ...held },
          })
          expect(Math.max(...seen.map(({ floorC }) => floorC))).toBeLessThanOrEqual(maxFloorC)
        },
      ),
      { numRuns: runs(24) },
    )
  })
})

describe('a room whose floor is held', () => {
  test.each(EVERY_FLOOR)(
    'of %s keeps a floor that is measured at the target, without any reading of the air',
    (floorType) => {
      const { seen } = simulatedRoom({ floorType, days: 4, hasProbe: true, hasAir: false, settings: held })
      const settled = seen.filter(({ hour }) => hour > 48)
      const mean = settled.reduce((sum, { floorC }) => sum + floorC, 0) / settled.length
      expect(Math.abs(mean - 26)).toBeLessThan(0.5)
      expect(settled.at(-1)?.decision).toMatchObject({ rung: 'measured', targetOf: 'floor' })
      expect(settled.at(-1)?.decision.notices).not.toContain('sensor-lost')
    },
  )

  test.each(EVERY_FLOOR)(
    'of %s without probe and sensor goes by the model, and says how far it may be wrong',
    (floorType) => {
      const { seen } = simulatedRoom({ floorType, days: 4, hasAir: false, settings: held })
      const last = seen.at(-1) as Seen
      const { floorC, floorErrorK = 0 } = last.decision.estimate ?? { floorC: 0 }
      expect(last.decision.rung).toBe('model-only')
      expect(Math.abs(floorC - 26)).toBeLessThan(1)
      expect(floorErrorK).toBeGreaterThan(0.5)
      expect(Math.abs(floorC - last.floorC)).toBeLessThan(2 * floorErrorK)
      expect(explain(last.decision).details.join(' ')).toContain('give or take')
    },
  )
})
