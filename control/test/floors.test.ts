import type { FloorTime, ScheduleInputs } from '@hypocaust/domain'
import { floorMinima, floorMinimumAt } from '@hypocaust/domain'
import { runs } from '@hypocaust/testing/runs.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { explain, type RoomSettings } from '../src/index.ts'
import { decisionsOn, recordedDays } from './recorded-days.ts'
import { EVERY_FLOOR, HOUR_MS, hold, settings, WINTER_MS } from './room.ts'
import { simulatedRoom } from './simulated-room.ts'

const MORNING: FloorTime = { temperature: 25, from: '06:00', to: '08:00' }
const MILD = { outdoorAt: () => 12, gainsAt: () => 4 }
/** The stories begin at midnight UTC. */
const UTC = { timeZone: 'UTC' }

const minimumAt = (inputs: Partial<ScheduleInputs>, atMs: number) => {
  const all = settings({ ...UTC, floorTimes: [MORNING], ...inputs })
  return floorMinimumAt(all, floorMinima(all, atMs), atMs)?.leastC ?? null
}

describe('a minimum of the floor', () => {
  const sixMs = WINTER_MS + 6 * HOUR_MS

  test('counts from one local time to another', () => {
    expect(minimumAt({}, sixMs - 1)).toBeNull()
    expect(minimumAt({}, sixMs)).toBe(25)
    expect(minimumAt({}, sixMs + 2 * HOUR_MS + 1)).toBeNull()
    expect(minimumAt({ timeZone: 'Europe/Berlin' }, sixMs - HOUR_MS)).toBe(25)
  })

  test('may go past midnight, and counts on the days on which it begins', () => {
    const late: FloorTime = { temperature: 26, from: '22:00', to: '02:00', days: ['monday'] }
    // The twelfth of January 2026 is a Monday.
    const monday = WINTER_MS
    expect(minimumAt({ floorTimes: [late] }, monday + HOUR_MS)).toBeNull()
    expect(minimumAt({ floorTimes: [late] }, monday + 23 * HOUR_MS)).toBe(26)
    expect(minimumAt({ floorTimes: [late] }, monday + 25 * HOUR_MS)).toBe(26)
    expect(minimumAt({ floorTimes: [late] }, monday + 47 * HOUR_MS)).toBeNull()
  })

  test('on a date that follows another weekday is that of the other weekday', () => {
    const sundays: FloorTime = { ...MORNING, days: ['sunday'] }
    const programme = {
      monday: [{ at: '00:00', setback: 0 }],
      dates: [{ date: '2026-01-12', follows: 'sunday' as const }],
    }
    expect(minimumAt({ floorTimes: [sundays] }, sixMs)).toBeNull()
    expect(minimumAt({ floorTimes: [sundays], programme }, sixMs)).toBe(25)
  })

  test('is the warmest of those that overlap', () => {
    const all = { temperature: 22, from: '00:00', to: '00:00' }
    expect(minimumAt({ floorTimes: [MORNING, all] }, sixMs)).toBe(25)
    expect(minimumAt({ floorTimes: [MORNING, all] }, sixMs - HOUR_MS)).toBe(22)
  })

  test('does not count in a room that is off, held by hand, or empty', () => {
    const during = { fromMs: 0, untilMs: Number.POSITIVE_INFINITY }
    expect(minimumAt({ steering: { kind: 'off' } }, sixMs)).toBeNull()
    expect(minimumAt({ steering: { kind: 'manual', power: 0.2 } }, sixMs)).toBeNull()
    expect(minimumAt({ away: { ...during, setAtMs: 0, targetC: 15 } }, sixMs)).toBeNull()
    expect(minimumAt({ vacancy: { ...during, targetC: 15, mostK: 3 } }, sixMs)).toBeNull()
  })

  test('on the day when the clocks go forward begins an hour earlier', () => {
    const summer = Date.UTC(2026, 2, 29, 4)
    expect(minimumAt({ timeZone: 'Europe/Berlin' }, summer)).toBe(25)
    expect(minimumAt({ timeZone: 'Europe/Berlin' }, summer - 1)).toBeNull()
  })
})

describe('a floor with a minimum', () => {
  const withMinimum = { ...UTC, floorTimes: [MORNING] }

  test('is heated before the time, and says until when and to what', () => {
    const { seen } = simulatedRoom({ floorType: 'screed', days: 3, startC: 21.5, ...MILD, settings: withMinimum })
    const sentences = seen.filter(({ hour }) => hour > 24).map((each) => explain(each.decision).sentence)
    expect(sentences.some((each) => each.endsWith('Warming the floor to 25.0 °C by 06:00.'))).toBe(true)
    expect(sentences.some((each) => each.endsWith('Keeping the floor at 25.0 °C until 08:00.'))).toBe(true)
    const named = seen.filter(({ decision }) => decision.floor)
    expect(named.every(({ decision }) => decision.share > 0)).toBe(true)
  })

  test('is left to cool while nobody is there', () => {
    const away = { fromMs: 0, untilMs: Number.POSITIVE_INFINITY, setAtMs: 0, targetC: 15 }
    const story = { floorType: 'screed' as const, days: 3, startC: 21.5, ...MILD }
    const powers = (changes: Partial<RoomSettings>) =>
      simulatedRoom({ ...story, settings: { ...changes, away } }).seen.map(({ decision }) => decision.power)
    expect(powers(withMinimum)).toEqual(powers(UTC))
  })

  test('that cannot be planned is warmed by its probe', () => {
    const cold = hold(
      3,
      () => ({ air: { kind: 'missing' }, floorProbeC: 21, settings: settings(withMinimum) }),
      null,
      WINTER_MS + 4 * HOUR_MS,
    )
    expect(cold.decision.rung).toBe('learned-power')
    expect(cold.power).toBe(1)
    const warm = hold(
      3,
      () => ({ air: { kind: 'missing' }, floorProbeC: 26, settings: settings(withMinimum) }),
      null,
      WINTER_MS + 4 * HOUR_MS,
    )
    expect(warm.power).toBeLessThan(1)
  })
})

describe('a room whose floor is held', () => {
  const held = { ...UTC, targetOf: 'floor' as const, targetC: 26 }

  test('is protected against frost by its probe', () => {
    const frosty = (floorProbeC: number) =>
      hold(1, () => ({
        air: { kind: 'missing' },
        floorProbeC,
        settings: settings({ ...held, steering: { kind: 'off' } }),
      }))
    expect(frosty(4).decision).toMatchObject({ mode: 'frost', power: 1 })
    expect(frosty(8).decision).toMatchObject({ mode: 'off', power: 0 })
  })

  test('is protected by its probe also where the sensor of its air has died', () => {
    const { decision } = hold(1, () => ({
      air: { kind: 'stale', airC: 18, ageS: 3 * 24 * 3600 },
      floorProbeC: 4,
      settings: settings({ ...held, steering: { kind: 'off' } }),
    }))
    expect(decision).toMatchObject({ mode: 'frost', power: 1 })
  })

  test('says that its band is that of the floor', () => {
    const { decision } = hold(4, () => ({ air: { kind: 'missing' }, floorProbeC: 24, settings: settings(held) }))
    expect(explain(decision).sentence).toMatch(
      /^The floor would be \d\.\d° below its band (now|at \d\d:\d\d) without heat/,
    )
  })
})

describe('a probe that reads as too hot', () => {
  test.each(EVERY_FLOOR)('%s: lets a part of the heat through against frost, and none otherwise', (floorType) => {
    const off = settings({ steering: { kind: 'off' } })
    const at = (airC: number, changes = {}) =>
      hold(2, () => ({ floorType, floorProbeC: 60, air: { kind: 'fresh', airC, ageS: 10 }, settings: off, ...changes }))
    expect(at(4).decision).toMatchObject({ mode: 'frost', power: 0.3, caps: ['floor-limit'] })
    expect(at(4, { settings: settings() }).power).toBe(0.3)
    expect(at(4, { settings: settings({ frostProtection: false }) }).power).toBe(0)
    expect(at(12, { settings: settings() }).power).toBe(0)
  })
})

describe('without a wish for the floor', () => {
  test('every decision of recorded days is as it was, whatever is written for other times', () => {
    const day = fc.record({
      floorType: fc.constantFrom(...EVERY_FLOOR),
      strategy: fc.constantFrom('comfort-first' as const, 'hold' as const, 'saving' as const),
      seed: fc.integer({ min: 1, max: 1000 }),
    })
    fc.assert(
      fc.property(day, fc.constantFrom(15, Number.NaN), ({ floorType, strategy, seed }, temperature) => {
        const recorded = recordedDays(floorType, 1, seed)
        const plain = decisionsOn(recorded, floorType, strategy)
        // No floor of a heated room is that cold, and one that is not known is none.
        const floorTimes = [{ temperature, from: '06:00', to: '08:00' }]
        const decided = decisionsOn(recorded, floorType, strategy, {}, { floorTimes })
        const powers = (all: typeof plain) => all.map(({ power, share }) => [power, share])
        if (Number.isNaN(temperature)) expect(powers(decided)).toEqual(powers(plain))
        else expect(decided.some(({ floor }) => floor)).toBe(false)
      }),
      { numRuns: runs(8) },
    )
  })
})
