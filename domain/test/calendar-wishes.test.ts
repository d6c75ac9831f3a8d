import { runs } from '@hypocaust/testing/runs.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type CalendarWish,
  DAY_MS,
  HOUR_MS,
  holdFrom,
  nextChangeMs,
  type Programme,
  type ScheduleInputs,
  scheduleOf,
  setpointAt,
  setpointsFrom,
  WEEKDAYS,
} from '../src/index.ts'

/** A Thursday at noon in Berlin. */
const NOW_MS = Date.UTC(2026, 0, 15, 11)
const MIDNIGHT_MS = Date.UTC(2026, 0, 14, 23)
const WORKDAY = [
  { at: '06:00', setback: 0 },
  { at: '08:00', setback: 2 },
  { at: '22:00', setback: 3 },
]
const SATURDAY = [
  { at: '08:00', setback: 0 },
  { at: '23:00', setback: 4 },
]
const PROGRAMME: Programme = {
  ...Object.fromEntries(WEEKDAYS.map((day) => [day, WORKDAY])),
  saturday: SATURDAY,
}

const inputs = (calendar: CalendarWish[] | null, changes: Partial<ScheduleInputs> = {}): ScheduleInputs => ({
  targetC: 21,
  steering: { kind: 'automatic' },
  programme: PROGRAMME,
  override: null,
  away: null,
  timeZone: 'Europe/Berlin',
  ...changes,
  calendar,
})
const span = { fromMs: NOW_MS - HOUR_MS, untilMs: NOW_MS + 4 * HOUR_MS }
const away = (changes: Partial<CalendarWish> = {}): CalendarWish =>
  ({ kind: 'away', targetC: 16, ...span, ...changes }) as CalendarWish
const comfort: CalendarWish = { kind: 'comfort', ...span }
const likeSaturday: CalendarWish = {
  ...{ kind: 'day', date: '2026-01-15', follows: 'saturday' },
  ...{ fromMs: MIDNIGHT_MS, untilMs: MIDNIGHT_MS + DAY_MS },
}
const now = (given: ScheduleInputs, atMs = NOW_MS) => {
  const { setpointC, reason } = setpointAt(given, atMs)
  return [setpointC, reason]
}

describe('an event of a calendar', () => {
  test('lowers a room, holds it at its target, or gives the day the plan of another one', () => {
    expect(now(inputs(null))).toEqual([19, 'programme'])
    expect(now(inputs([away()]))).toEqual([16, 'calendar'])
    expect(now(inputs([comfort]))).toEqual([21, 'calendar'])
    expect(now(inputs([likeSaturday]))).toEqual([21, 'target'])
    // The last step of that day holds until the first of the next.
    expect(now(inputs([likeSaturday]), MIDNIGHT_MS + DAY_MS + HOUR_MS)).toEqual([17, 'programme'])
  })

  test('never makes a room warmer by an absence, nor colder by comfort', () => {
    expect(now(inputs([away({ targetC: 20 })]))).toEqual([19, 'programme'])
    expect(now(inputs([comfort], { programme: null }))).toEqual([21, 'target'])
  })

  test('counts before those after it', () => {
    expect(now(inputs([comfort, away()]))).toEqual([21, 'calendar'])
    expect(now(inputs([away(), comfort]))).toEqual([16, 'calendar'])
    expect(now(inputs([likeSaturday, away()]))).toEqual([21, 'target'])
    expect(now(inputs([away(), likeSaturday]), NOW_MS + 5 * HOUR_MS)).toEqual([21, 'target'])
  })

  test('does not count against an override, an absence, manual power, or a date that a person set', () => {
    const untilMs = NOW_MS + HOUR_MS
    const setAtMs = NOW_MS - HOUR_MS
    const wish = [away()]
    expect(now(inputs(wish, { override: { kind: 'target', targetC: 23, untilMs, setAtMs } }))).toEqual([23, 'override'])
    const absence = { fromMs: setAtMs, untilMs, setAtMs, targetC: 18 }
    expect(now(inputs(wish, { away: absence }))).toEqual([18, 'away'])
    expect(now(inputs(wish, { steering: { kind: 'off' } }))[1]).toBe('off')
    const dated = { ...PROGRAMME, dates: [{ date: '2026-01-15', follows: 'monday' as const }] }
    for (const wishes of [wish, [comfort], [likeSaturday]])
      expect(now(inputs(wishes, { programme: dated }))).toEqual([19, 'programme'])
  })

  test('is seen ahead with its end, as an absence is', () => {
    const { now: current, next } = setpointsFrom(inputs([away()], { programme: null }), NOW_MS)
    expect([current.setpointC, current.untilMs]).toEqual([16, span.untilMs])
    expect([next?.setpointC, next?.fromMs]).toEqual([21, span.untilMs])
  })

  test('gives way to a new target until it ends, also where another absence follows at once', () => {
    const following = away({ fromMs: span.untilMs, untilMs: span.untilMs + DAY_MS })
    const given = inputs([away(), following])
    const hold = holdFrom({ ...given, targetC: 22 }, NOW_MS)
    expect(hold).toEqual({ kind: 'step', untilMs: span.untilMs + DAY_MS, setAtMs: NOW_MS })
    expect(now({ ...given, targetC: 22, hold }, span.untilMs + HOUR_MS)).toEqual([22, 'target'])
  })

  test('counts again after a date that a person set', () => {
    const dated = { ...PROGRAMME, dates: [{ date: '2026-01-16', follows: 'monday' as const }] }
    const given = inputs([away({ untilMs: NOW_MS + 4 * DAY_MS })], { programme: dated })
    const reasons = scheduleOf(given, NOW_MS, NOW_MS + 3 * DAY_MS)
      .filter(({ reason }, i, all) => reason !== all[i - 1]?.reason)
      .map(({ reason, fromMs }) => [reason, new Date(fromMs).toISOString().slice(0, 16)])
    expect(reasons.map(([reason]) => reason)).toEqual(['calendar', 'programme', 'target', 'programme', 'calendar'])
    expect(reasons.at(-1)).toEqual(['calendar', '2026-01-16T23:00'])
  })
})

const anyWish = (): fc.Arbitrary<CalendarWish> =>
  fc
    .record({
      fromMs: fc.integer({ min: -3 * 86_400, max: 3 * 86_400 }),
      lengthS: fc.integer({ min: 1, max: 4 * 86_400 }),
      kind: fc.constantFrom('away' as const, 'comfort' as const, 'day' as const),
      targetC: fc.integer({ min: 5, max: 25 }),
      follows: fc.constantFrom(...WEEKDAYS),
      day: fc.integer({ min: 10, max: 20 }),
    })
    .map(({ fromMs: fromS, lengthS, kind, targetC, follows, day }) => {
      const at = { fromMs: NOW_MS + fromS * 1000, untilMs: NOW_MS + (fromS + lengthS) * 1000 }
      if (kind === 'away') return { kind, targetC, ...at }
      if (kind === 'comfort') return { kind, ...at }
      const midnight = Date.UTC(2026, 0, day) - HOUR_MS
      return { kind, follows, date: `2026-01-${day}`, fromMs: midnight, untilMs: midnight + DAY_MS }
    })

const anyInputs = (): fc.Arbitrary<ScheduleInputs> =>
  fc
    .record({
      programme: fc.constantFrom(null, PROGRAMME, {
        ...PROGRAMME,
        dates: [{ date: '2026-01-16', follows: 'saturday' as const }],
      }),
      override: fc.constantFrom(null, {
        ...{ kind: 'target' as const, targetC: 23, untilMs: NOW_MS + 3 * HOUR_MS, setAtMs: NOW_MS - HOUR_MS },
      }),
      away: fc.constantFrom(null, {
        ...{ fromMs: NOW_MS, untilMs: NOW_MS + DAY_MS, setAtMs: NOW_MS - DAY_MS, targetC: 15 },
      }),
    })
    .map((given) => inputs(null, given))

describe('a schedule', () => {
  test('is the same without a calendar, with one that asks nothing, and where none of its wishes count', () => {
    fc.assert(
      fc.property(anyInputs(), anyWish(), (given, wish) => {
        const { calendar: _, ...without } = given
        const plan = scheduleOf(without, NOW_MS, NOW_MS + 3 * DAY_MS)
        expect(scheduleOf(given, NOW_MS, NOW_MS + 3 * DAY_MS)).toEqual(plan)
        const over = { ...wish, fromMs: NOW_MS - 30 * DAY_MS, untilMs: NOW_MS - 29 * DAY_MS, date: '2025-12-01' }
        expect(scheduleOf({ ...given, calendar: [over] }, NOW_MS, NOW_MS + 3 * DAY_MS)).toEqual(plan)
      }),
      { numRuns: runs(200) },
    )
  })

  test('says at every moment what counts then, and never stands still', () => {
    fc.assert(
      fc.property(anyInputs(), fc.array(anyWish(), { maxLength: 6 }), fc.nat(3 * 86_400), (given, calendar, s) => {
        const all = { ...given, calendar }
        const atMs = NOW_MS + s * 1000
        const found = scheduleOf(all, NOW_MS, NOW_MS + 4 * DAY_MS).find(({ untilMs }) => atMs < untilMs)
        expect([found?.setpointC, found?.reason]).toEqual(now(all, atMs))
        expect(nextChangeMs(all, atMs)).toBeGreaterThan(atMs)
      }),
      { numRuns: runs(400) },
    )
  })
})
