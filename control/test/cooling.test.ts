import { dewPointC, HOUR_MS } from '@hypocaust/domain/facts'
import { runs } from '@hypocaust/testing/runs.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Cooling,
  expectedDewC,
  explain,
  type Hours,
  highestOf,
  type RoomControl,
  type SeasonState,
  type StepInput,
  seasonAfter,
  stepRoom,
  waterAbove,
} from '../src/index.ts'
import { EVERY_FLOOR, input, settings } from './room.ts'

const SUMMER_MS = Date.UTC(2026, 6, 14)
const hours = (...hourly: number[]): Hours => ({ startMs: SUMMER_MS, hourly })
const always = (c: number): Hours => hours(...new Array<number>(50).fill(c))
const cooling = (changes: Partial<Cooling> = {}): Cooling => ({
  targetC: 25,
  dewC: always(15),
  waterC: always(18),
  ...changes,
})

/** A hot afternoon: 30 °C outdoors, and a room that has been as warm for a while. */
const hot = (changes: Partial<StepInput> = {}): StepInput =>
  input({
    nowMs: SUMMER_MS,
    air: { kind: 'fresh', airC: 27, ageS: 10 },
    weather: { outdoorC: 30, cloudPct: 10, windMs: 2, solarWm2: 600 },
    cooling: cooling(),
    ...changes,
  })

/** One temperature, read every minute. */
function held(minutes: number, changes: Partial<StepInput> = {}, from: RoomControl | null = null) {
  let result = stepRoom(from, hot(changes))
  for (let k = 1; k <= minutes; k++) result = stepRoom(result.state, hot({ nowMs: SUMMER_MS + k * 60_000, ...changes }))
  return result
}

describe('a room that is cooled', () => {
  test.each(EVERY_FLOOR.filter((floor) => floor !== 'electric'))(
    '%s: a hot room is cooled, a cool one is not',
    (floorType) => {
      const warm = held(40, { floorType })
      const { targetC, bandK } = settings()
      expect(warm.decision).toMatchObject({
        mode: 'cool',
        aim: { targetC: 25 },
        cooling: { dewC: 15, waterC: 18, heatLowC: targetC - bandK },
      })
      expect(warm.power).toBeGreaterThan(0.3)
      const mild = { weather: { outdoorC: 20, cloudPct: 90, windMs: 2, solarWm2: 0 } }
      expect(held(40, { floorType, air: { kind: 'fresh', airC: 23, ageS: 10 }, ...mild }).power).toBe(0)
    },
  )

  test('explains itself', () => {
    const sentence = (changes: Partial<StepInput>) => explain(held(40, changes).decision).sentence
    expect(sentence({})).toMatch(/^Cooling at \d+ % towards 25\.0 °C\. Dew point 15\.0 °C, water 18\.0 °C\.$/)
    expect(sentence({ cooling: cooling({ dewC: always(17) }) })).toContain('Too humid to cool')
    expect(sentence({ cooling: cooling({ dewC: null }) })).toContain('is not known')
    expect(sentence({ cooling: cooling({ targetC: null }) })).toContain('left out')
  })

  test('is not cooled for an empty house, and is again before people come back', () => {
    const away = { fromMs: SUMMER_MS - HOUR_MS, targetC: 15, setAtMs: SUMMER_MS - HOUR_MS }
    const gone = (untilMs: number) => held(40, { settings: settings({ away: { ...away, untilMs } }) }).power
    expect(gone(SUMMER_MS + 200 * HOUR_MS)).toBe(0)
    expect(gone(SUMMER_MS + 4 * HOUR_MS)).toBeGreaterThan(0)
  })

  test('of which the model is wrong is cooled by its reading, but not by water that is warmer than it', () => {
    const { state } = held(5)
    const broken = { ...state, fit: { ...state.fit, rejected: true } }
    const next = { nowMs: SUMMER_MS + 60 * 60_000 }
    expect(stepRoom(broken, hot(next)).decision).toMatchObject({ rung: 'pi', power: 1 })
    const damp = cooling({ dewC: always(25.5), waterC: always(28) })
    expect(stepRoom(broken, hot({ ...next, cooling: damp })).power).toBe(0)
  })

  test('waits while a window is open, and while the heat pump is locked', () => {
    expect(held(40, { window: 'open' }).power).toBe(0)
    expect(held(40, { energy: { prices: null, source: null, grid: 'locked' } }).power).toBe(0)
  })

  test('gets coolness in dry hours for humid ones', () => {
    // The room is just within its band, and from the fourth hour on it is too humid to cool.
    const air = { kind: 'fresh' as const, airC: 25.3, ageS: 10 }
    const turns = hours(...Array.from({ length: 50 }, (_, h) => (h < 4 ? 14 : 19)))
    const dry = held(40, { air }).power
    const before = held(40, { air, cooling: cooling({ dewC: turns }) }).power
    expect(before).toBeGreaterThan(dry)
  })

  test('leaves nothing that the nightly fit could learn heat from', () => {
    let state: RoomControl | null = null
    for (let k = 0; k < 120; k++) {
      const result = stepRoom(state, hot({ nowMs: SUMMER_MS + k * 60_000 }))
      expect(result.slot).toBeNull()
      state = result.state
    }
  })
})

describe('frost', () => {
  test('is warmed although the building cools', () => {
    const cold = held(10, { air: { kind: 'fresh', airC: 4, ageS: 10 } })
    expect(cold).toMatchObject({ power: 1, decision: { mode: 'heat' } })
    expect(cold.decision.cooling).toBeUndefined()
  })
})

const anyNumber = fc.oneof(
  fc.double(),
  fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, -300, 1e9),
)
const somewhere = fc.record({
  floorType: fc.constantFrom(...EVERY_FLOOR),
  airC: fc.double({ min: 10, max: 45, noNaN: true }),
  targetC: fc.option(fc.double({ min: 18, max: 30, noNaN: true })),
  steering: fc.constantFrom<StepInput['settings']['steering']>({ kind: 'automatic' }, { kind: 'manual', power: 1 }),
  ahead: fc.integer({ min: 1, max: 600 }),
})

test('whatever is known else, no loop is open while its dew point or its water is not known', () => {
  const unknown = fc.oneof(
    fc.constant(null),
    fc.record({ startMs: anyNumber, hourly: fc.constant([]) }),
    fc.record({ startMs: fc.constant(Number.NaN), hourly: fc.constant([10]) }),
    fc.record({
      startMs: fc.constant(SUMMER_MS),
      hourly: fc.array(fc.constantFrom(10, Number.NaN), { minLength: 3 }).map((c) => [...c, Number.NaN]),
    }),
  )
  fc.assert(
    fc.property(
      fc.array(somewhere, { minLength: 1, maxLength: 5 }),
      unknown,
      fc.constantFrom<'dewC' | 'waterC'>('dewC', 'waterC'),
      (moments, hours, which) => {
        let state: RoomControl | null = null
        let nowMs = SUMMER_MS
        for (const { floorType, airC, targetC, steering, ahead } of moments) {
          nowMs += ahead * 60_000
          const { power, state: next } = stepRoom(
            state,
            hot({
              nowMs,
              floorType,
              settings: settings({ steering }),
              air: { kind: 'fresh', airC, ageS: 5 },
              cooling: cooling({ targetC, [which]: hours }),
            }),
          )
          expect(power).toBe(0)
          state = next
        }
      },
    ),
    { numRuns: runs(100) },
  )
})

test('no loop is open while the water, the floor or its estimate is less than 2 K above the dew point', () => {
  const celsius = fc.double({ min: 5, max: 30, noNaN: true })
  fc.assert(
    fc.property(
      fc.array(fc.tuple(somewhere, celsius, celsius, fc.option(celsius), fc.option(celsius)), { maxLength: 6 }),
      (moments) => {
        let state: RoomControl | null = null
        let nowMs = SUMMER_MS
        for (const [{ floorType, airC, targetC, steering, ahead }, dewC, waterC, measuredC, floorProbeC] of moments) {
          nowMs += ahead * 60_000
          const { power, state: next } = stepRoom(
            state,
            hot({
              nowMs,
              floorType,
              floorProbeC,
              settings: settings({ steering }),
              air: { kind: 'fresh', airC, ageS: 5 },
              supply: { measuredC, setC: waterC },
              cooling: { targetC, dewC: always(dewC), waterC: always(waterC) },
            }),
          )
          const floorC = floorProbeC ?? next.belief?.mean[1] ?? 99
          if (power > 0) expect(Math.min(measuredC ?? waterC, floorC)).toBeGreaterThanOrEqual(dewC + 2)
          state = next
        }
      },
    ),
    { numRuns: runs(100) },
  )
})

describe('the dew point ahead', () => {
  test('stays where the humidity outdoors is not known, and follows it where it is', () => {
    const room = { airC: 25, humidityPct: 55 }
    const still = expectedDewC(room, [], SUMMER_MS).hourly
    expect(still[0]).toBeCloseTo(dewPointC(25, 55), 6)
    expect(still.at(-1)).toBe(still[0])
    const humid = Array.from({ length: 48 }, (_, h) => ({ airC: 24, humidityPct: h < 2 ? 45 : 90 }))
    const rising = expectedDewC(room, humid, SUMMER_MS).hourly
    expect(rising[0]).toBeCloseTo(dewPointC(25, 55), 6)
    expect(rising[24]).toBeGreaterThan((rising[0] as number) + 3)
    expect(rising.every((c, h) => h === 0 || c >= (rising[h - 1] as number) - 1e-9)).toBe(true)
  })

  test('decides the water that is asked for: at least 2.5 K above the dampest room', () => {
    const dampest = highestOf([always(14), hours(...new Array<number>(50).fill(17.2))])
    expect(dampest?.hourly[0]).toBe(17.2)
    expect(waterAbove(dampest as Hours).hourly[0]).toBe(20)
    expect(waterAbove(always(5)).hourly[0]).toBe(16)
    expect(highestOf([])).toBeNull()
  })
})

describe('the season', () => {
  const changeover = { by: 'outdoor' as const, cooling_above: 20, heating_below: 16 }
  const automatic = { season: 'automatic' as const, changeover }
  const after = (
    before: SeasonState | null,
    outdoorC: number | null,
    hoursOn: number,
    reported: boolean | null = null,
  ) => seasonAfter(before, automatic, { outdoorC, reported }, (before?.atMs ?? SUMMER_MS) + hoursOn * HOUR_MS)

  test('changes with the mean of a day, not with an afternoon, and stays between the two limits', () => {
    let state = after(null, 15, 0)
    expect(state.season).toBe('heating')
    for (let h = 0; h < 6; h++) state = after(state, 26, 1)
    expect(state.season).toBe('heating')
    for (let h = 0; h < 24; h++) state = after(state, 26, 1)
    expect(state.season).toBe('cooling')
    const sinceMs = state.sinceMs
    for (let h = 0; h < 100; h++) state = after(state, 18, 1)
    expect(state).toMatchObject({ season: 'cooling', sinceMs })
    for (let h = 0; h < 100; h++) state = after(state, 12, 1)
    expect(state.season).toBe('heating')
  })

  test('heats again once the weather has not been known for three days: winter comes without it too', () => {
    let state = after(null, 26, 0)
    expect(state.season).toBe('cooling')
    for (let h = 0; h < 71; h++) state = after(state, null, 1)
    expect(state.season).toBe('cooling')
    for (let h = 0; h < 2; h++) state = after(state, null, 1)
    expect(state.season).toBe('heating')
    expect(after(state, 26, 1).season).toBe('cooling')
  })

  test('a clock that is set back makes no afternoon the mean of a day', () => {
    let state = after(null, 12, 0)
    for (let h = 0; h < 24; h++) state = after(state, 12, 1)
    expect(after(state, 30, -5)).toMatchObject({ season: 'heating', outdoorMeanC: 12 })
  })

  test('stays as it is while nothing is known', () => {
    const cools = {
      season: 'cooling' as const,
      sinceMs: 0,
      outdoorMeanC: null,
      outdoorAtMs: SUMMER_MS,
      atMs: SUMMER_MS,
    }
    expect(after(cools, null, 5).season).toBe('cooling')
    expect(after(null, null, 5).season).toBe('heating')
    const reported = { ...automatic, changeover: { ...changeover, by: 'reported' as const } }
    const seen = (said: boolean | null) =>
      seasonAfter(cools, reported, { outdoorC: 5, reported: said }, SUMMER_MS + HOUR_MS).season
    expect([seen(null), seen(true), seen(false)]).toEqual(['cooling', 'cooling', 'heating'])
  })

  test('heats again once the source has not reported for three days: its gateway may be gone for good', () => {
    const reported = { ...automatic, changeover: { ...automatic.changeover, by: 'reported' as const } }
    const on = (before: SeasonState | null, said: boolean | null, hours: number) =>
      seasonAfter(before, reported, { outdoorC: 3, reported: said }, (before?.atMs ?? SUMMER_MS) + hours * HOUR_MS)
    let state = on(null, true, 0)
    for (let h = 0; h < 72; h++) state = on(state, null, 1)
    expect(state.season).toBe('cooling')
    state = on(state, null, 1)
    expect(state.season).toBe('heating')
    expect(on(state, true, 1).season).toBe('cooling')
  })
})
