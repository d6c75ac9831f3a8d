import { runs } from '@hypocaust/testing/runs.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  HOUR_MS,
  holdFrom,
  isHomeAt,
  MINUTE_MS,
  nextChangeMs,
  type Occupant,
  type ScheduleInputs,
  setpointAt,
  setpointsFrom,
  type Vacancy,
  vacancyOf,
} from '../src/index.ts'

const NOW_MS = Date.UTC(2026, 0, 12, 12)
const RULE = { afterMinutes: 30, targetC: 17 }

const person = (name: string, isHome: boolean, hoursAgo = 2, reportedHoursAgo = 0): Occupant => ({
  name,
  isHome,
  sinceMs: NOW_MS - hoursAgo * HOUR_MS,
  reportedMs: NOW_MS - reportedHoursAgo * HOUR_MS,
})

const inputs = (changes: Partial<ScheduleInputs> = {}): ScheduleInputs => ({
  targetC: 21,
  steering: { kind: 'automatic' },
  programme: null,
  override: null,
  away: null,
  timeZone: 'Europe/Berlin',
  ...changes,
})
const vacant = (changes: Partial<Vacancy> = {}): Vacancy => ({
  ...{ fromMs: NOW_MS - HOUR_MS, untilMs: NOW_MS + HOUR_MS, targetC: 17, mostK: 10 },
  ...changes,
})

describe('a room is not used', () => {
  const isVacant = (people: Occupant[], usedBy: string[] | null = null) => {
    const vacancy = vacancyOf(people, RULE, usedBy, 3)
    return vacancy !== null && NOW_MS >= vacancy.fromMs && NOW_MS < vacancy.untilMs
  }

  test('when all who use it have been away for long enough, and no sooner', () => {
    expect(isVacant([person('Anna', false), person('Ben', false)])).toBe(true)
    expect(isVacant([person('Anna', false), person('Ben', true)])).toBe(false)
    const [just, before] = [29, 31].map((minutes) => [person('Anna', false), person('Ben', false, minutes / 60)])
    expect(isVacant(just as Occupant[])).toBe(false)
    expect(isVacant(before as Occupant[])).toBe(true)
  })

  test('when only those who use it are away; a room that is always used is never vacant', () => {
    const people = [person('Anna', false), person('Ben', true)]
    expect(isVacant(people, ['Anna'])).toBe(true)
    expect(isVacant(people, ['Ben'])).toBe(false)
    expect(isVacant([person('Anna', false)], [])).toBe(false)
  })

  test('never by people who were not reported: unknown, forgotten, or silent for a day', () => {
    expect(isVacant([])).toBe(false)
    expect(isVacant([person('Anna', false)], ['Anna', 'Ben'])).toBe(false)
    expect(isVacant([person('Anna', false, 30, 23.9)])).toBe(true)
    expect(isVacant([person('Anna', false, 30, 24.1)])).toBe(false)
    expect(isHomeAt(person('Anna', false, 30, 24.1), NOW_MS)).toBeNull()
  })

  test('never without a rule, nor before it is known how soon the room is warm again', () => {
    const away = [person('Anna', false)]
    expect(vacancyOf(away, null, null, 3)).toBeNull()
    expect(vacancyOf(away, RULE, null, null)).toBeNull()
  })
})

describe('the setpoint while nobody is home', () => {
  const at = (changes: Partial<ScheduleInputs>) => setpointAt(inputs(changes), NOW_MS)

  test('is that of the rule, or as low as the room can be warm again from', () => {
    expect(at({ vacancy: vacant() })).toMatchObject({ setpointC: 17, reason: 'presence', isLowered: true })
    expect(at({ vacancy: vacant({ mostK: 1.5 }) })).toMatchObject({ setpointC: 19.5, reason: 'presence' })
    expect(at({ vacancy: vacant({ mostK: 0 }) })).toMatchObject({ setpointC: 21, reason: 'target' })
  })

  test('gives way to what people say: overrides, manual power, off, a target set now, an absence', () => {
    const vacancy = vacant()
    const span = { setAtMs: NOW_MS - 5 * HOUR_MS, untilMs: NOW_MS + HOUR_MS }
    expect(at({ vacancy, override: { kind: 'target', targetC: 22, ...span } })).toMatchObject({ reason: 'override' })
    expect(at({ vacancy, steering: { kind: 'off' } })).toMatchObject({ reason: 'off' })
    const away = { fromMs: NOW_MS - HOUR_MS, targetC: 18, ...span }
    expect(at({ vacancy, away })).toMatchObject({ setpointC: 18, reason: 'away' })
    const hold = holdFrom(inputs({ vacancy, targetC: 22 }), NOW_MS)
    expect(hold).toMatchObject({ kind: 'step', untilMs: vacancy.untilMs })
    expect(at({ vacancy, targetC: 22, hold })).toMatchObject({ setpointC: 22, reason: 'target' })
  })

  test('is stepped at its beginning and when the reports lapse, which is announced to nobody', () => {
    const vacancy = vacant({ fromMs: NOW_MS + MINUTE_MS })
    expect(nextChangeMs(inputs({ vacancy }), NOW_MS)).toBe(vacancy.fromMs)
    expect(nextChangeMs(inputs({ vacancy }), vacancy.fromMs)).toBe(vacancy.untilMs)
    expect(setpointsFrom(inputs({ vacancy }), NOW_MS).next).toMatchObject({ setpointC: 17 })
    expect(setpointsFrom(inputs({ vacancy }), vacancy.fromMs).next).toBeNull()
  })

  test('is never higher than planned, and never more below it than the room can be warmed in time', () => {
    const wish = fc.record({
      targetC: fc.integer({ min: 7, max: 35 }),
      setback: fc.integer({ min: 0, max: 10 }),
      vacancy: fc.record({
        fromMs: fc.integer({ min: -48, max: 48 }).map((hours) => NOW_MS + hours * HOUR_MS),
        untilMs: fc.integer({ min: -48, max: 48 }).map((hours) => NOW_MS + hours * HOUR_MS),
        targetC: fc.integer({ min: 7, max: 35 }),
        mostK: fc.double({ min: 0, max: 20, noNaN: true }),
      }),
    })
    fc.assert(
      fc.property(wish, ({ targetC, setback, vacancy }) => {
        const programme = { monday: [{ at: '00:00', setback }] }
        const planned = at({ targetC, programme }).setpointC
        const { setpointC, reason } = at({ targetC, programme, vacancy })
        expect(setpointC).toBeLessThanOrEqual(planned)
        expect(setpointC).toBeGreaterThanOrEqual(Math.min(planned, planned - vacancy.mostK))
        if (reason === 'presence') expect(setpointC).toBeGreaterThanOrEqual(vacancy.targetC)
        else expect(setpointC).toBe(planned)
      }),
      { numRuns: runs(500) },
    )
  })
})
