import type { FloorType } from '@hypocaust/domain'
import {
  type Climate,
  forecastAt,
  roomPhysics,
  settledState,
  stepRoomState,
  sunPosition,
  verticalWm2,
  weatherAt,
} from '@hypocaust/simulator'
import { runs } from '@hypocaust/testing/runs.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fitRoom, type RoomControl, type RoomSettings, type Slot, type StepInput, stepRoom } from '../src/index.ts'
import { decisionsOn, recordedDays } from './recorded-days.ts'
import { EVERY_FLOOR, HOUR_MS, input, settings } from './room.ts'

const JUNE_MS = Date.UTC(2026, 5, 8)
const STEP_S = 300
const PLACE = { latDeg: 51, lngDeg: 0 }
const SUNNY: Climate = { seed: 3, place: PLACE, meanC: 19, seasonSwingK: 0, clearness: 1.5 }
const CLOUDY: Climate = { ...SUNNY, meanC: 12, clearness: -3 }
const SOUTH = { sides: ['south'], aboveC: 25 } as const
const OFF = { steering: { kind: 'off' }, timeZone: 'UTC' } as const

type Summer = {
  days: number
  floorType?: FloorType
  climate?: Climate
  settings?: Partial<RoomSettings>
  /** Whether somebody follows the advice, from which day on. */
  followsFromDay?: number
  extra?: Partial<StepInput>
}

/** A room behind a big window to the south, with the decisions of each step. */
function summer({ days, floorType = 'screed', climate = SUNNY, followsFromDay = 1e9, ...story }: Summer) {
  const physics = roomPhysics(floorType, 180)
  const room = settledState(23)
  const slots: Slot[] = []
  let state: RoomControl | null = null
  let forecast: StepInput['forecast'] = null
  return Array.from({ length: (days * 24 * 3600) / STEP_S }, (_, i) => {
    const nowMs = JUNE_MS + i * STEP_S * 1000
    const weather = weatherAt(climate, nowMs)
    if (nowMs % HOUR_MS === 0)
      forecast = {
        startMs: nowMs,
        hourly: Array.from({ length: 49 }, (_, h) => forecastAt(climate, nowMs, nowMs + h * HOUR_MS)),
      }
    const result = stepRoom(
      state,
      input({
        nowMs,
        floorType,
        location: { lat: PLACE.latDeg, lng: PLACE.lngDeg },
        settings: settings({ ...OFF, blinds: SOUTH, ...story.settings }),
        air: { kind: 'fresh', airC: Math.round(10 * room.airC) / 10, ageS: 0 },
        weather,
        forecast,
        ...story.extra,
      }),
    )
    if (result.slot) slots.push(result.slot)
    state = result.state
    if (nowMs % (24 * HOUR_MS) === 3 * HOUR_MS && slots.length > 60) state = fitRoom(state, slots)
    const { shading } = result.decision
    const isFollowed = nowMs >= JUNE_MS + followsFromDay * 24 * HOUR_MS
    const isClosed = isFollowed && shading && nowMs >= shading.closeMs && nowMs < shading.openMs
    const sun = physics.solarShare * verticalWm2(sunPosition(nowMs, PLACE), weather.solarWm2, 180)
    const boundary = { outdoorC: weather.outdoorC, windMs: weather.windMs, internalWm2: 3, neighbourC: room.airC }
    const solarGainWm2 = isClosed ? 0.25 * sun : sun
    stepRoomState(room, physics, { ...boundary, solarGainWm2, airChange: 1, supply: 'running' }, result.power, STEP_S)
    return { nowMs, airC: room.airC, decision: result.decision, shading }
  })
}

const DAY = 288
/** What was said at six in the morning of each day. */
const mornings = (seen: ReturnType<typeof summer>) =>
  seen.filter((_, i) => i % DAY === DAY / 4).map(({ shading }) => shading)
const hottestOf = (seen: ReturnType<typeof summer>, day: number) =>
  Math.max(...seen.slice(day * DAY, (day + 1) * DAY).map(({ airC }) => airC))

describe('blinds', () => {
  test('are to be closed by day, before the sun makes the room too warm, and opened when it has gone', () => {
    const seen = summer({ days: 3 })
    const advice = mornings(seen).at(-1)
    if (!advice) throw new Error('nothing was said')
    const hourOf = (ms: number) => (ms - JUNE_MS) / HOUR_MS - 48
    expect(hourOf(advice.closeMs)).toBeGreaterThanOrEqual(5)
    expect(hourOf(advice.closeMs)).toBeLessThan(14)
    expect(hourOf(advice.openMs)).toBeGreaterThan(13)
    expect(hourOf(advice.openMs)).toBeLessThanOrEqual(21)
    expect(advice.sides).toEqual(['south'])
    expect(advice.openC).toBeGreaterThan(SOUTH.aboveC)
    expect(advice.closedC).toBeLessThan(advice.openC - 0.5)
  })

  test('may stay open under clouds, in a room without any, and where no forecast is known', () => {
    const nothing = (story: Partial<Summer>) =>
      expect(mornings(summer({ days: 2, ...story }))).toEqual([undefined, undefined])
    nothing({ climate: CLOUDY })
    nothing({ extra: { forecast: null } })
    const { blinds: _, ...without } = settings(OFF)
    const [first] = summer({ days: 1, extra: { settings: without } }).slice(-1)
    expect(first?.shading).toBeUndefined()
  })

  test('are closed later where more warmth is welcome', () => {
    const closeAt = (aboveC: number) =>
      mornings(summer({ days: 2, settings: { blinds: { sides: ['south'], aboveC } } })).at(-1)?.closeMs ??
      Number.POSITIVE_INFINITY
    const times = [23, 24, 25, 26, 32].map(closeAt)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    expect(new Set(times).size).toBeGreaterThan(1)
  })

  test('on a side without sun change nothing, so nothing is said', () => {
    const north = { days: 2, settings: { blinds: { sides: ['east'], aboveC: 25 } } } satisfies Summer
    const said = summer({ ...north, extra: { location: { lat: 51, lng: 0 } } }).flatMap(({ shading }) => shading ?? [])
    for (const { openC, closedC } of said) expect(openC - closedC).toBeGreaterThanOrEqual(0.5)
  })

  test('keep a learned room where the advice said, and the advice stands while it is followed', () => {
    const [open, followed] = [summer({ days: 8 }), summer({ days: 8, followsFromDay: 7 })]
    const advice = mornings(followed).at(-1)
    if (!advice) throw new Error('nothing was said')
    expect(hottestOf(open, 7)).toBeGreaterThan(25.5)
    expect(Math.abs(hottestOf(open, 7) - advice.openC)).toBeLessThan(1)
    expect(hottestOf(followed, 7)).toBeLessThan(hottestOf(open, 7) - 0.5)
    expect(Math.abs(hottestOf(followed, 7) - advice.closedC)).toBeLessThan(1)
    const during = followed.filter(({ nowMs }) => nowMs > advice.closeMs + HOUR_MS && nowMs < advice.openMs)
    expect(new Set(during.map(({ shading }) => shading?.openMs)).size).toBe(1)
  })

  test.each(EVERY_FLOOR)('never change what is decided: %s', (floorType) => {
    const recorded = recordedDays(floorType, 2, 5)
    const around = fc.record({
      sides: fc.uniqueArray(fc.constantFrom('east' as const, 'south' as const, 'west' as const), { minLength: 1 }),
      aboveC: fc.double({ min: 20, max: 32, noNaN: true }),
    })
    fc.assert(
      fc.property(around, (blinds) => {
        const decided = (changes: Partial<RoomSettings>) =>
          decisionsOn(recorded, floorType, 'hold', {}, changes).map(({ shading: _, ...decision }) => decision)
        expect(decided({ blinds })).toEqual(decided({}))
      }),
      { numRuns: runs(4) },
    )
  })
})
