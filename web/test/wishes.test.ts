import type { AppOutlook, AppRoom } from '@hypocaust/domain'
import { type Programme, programmeProblems, WEEKDAYS } from '@hypocaust/domain/facts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatsFor } from '../src/i18n/formats.ts'
import { translator } from '../src/i18n/translator.ts'
import { loweredIn } from '../src/room/lowered.ts'
import { outlookInWords } from '../src/room/outlook-words.ts'
import { scheduleInWords } from '../src/room/schedule-words.ts'
import { usualReturns } from '../src/wishes/ends.ts'
import { copyDay, segmentsOf, setbackBefore, tidied, weekOf, withNewStep } from '../src/wishes/week.ts'

const t = translator('en')
const format = formatsFor('en', t, 'C', ['en-GB'])
const timeZone = 'Europe/Oslo'
// A Friday, 15:00 in Oslo.
const now = Date.parse('2026-01-16T14:00:00Z')
const words = { t, format, now, timeZone }

const room = (changes: object): AppRoom =>
  ({
    name: 'Bathroom',
    power: 0,
    current_temperature: 21.4,
    target_temperature: 22,
    manual_power: { enabled: false, power: 0 },
    override: null,
    warming_for: null,
    schedule: { setpoint: 22, reason: 'target', until: null, next: null },
    ...changes,
  }) as unknown as AppRoom

const scheduled = (reason: string, until: string | null, more: object = {}) =>
  scheduleInWords(room({ schedule: { setpoint: 19.5, reason, until, next: null }, ...more }), words)

describe('what counts until when', () => {
  test('is said with its end, except for the plain target', () => {
    expect(scheduled('target', '2026-01-16T21:30:00.000Z')).toBeUndefined()
    expect(scheduled('programme', '2026-01-16T21:30:00.000Z')).toBe('until 22:30')
    expect(scheduled('away', '2026-01-18T17:00:00.000Z')).toBe('away until Sun 18:00')
    expect(scheduled('override', '2026-01-16T20:00:00.000Z')).toBe('until 21:00')
  })

  test('of off and manual power is said only where they end', () => {
    const until = '2026-01-16T20:00:00.000Z'
    expect(scheduled('off', until)).toBeUndefined()
    expect(scheduled('off', until, { override: { hvac_mode: 'off', until } })).toBe('off until 21:00')
    expect(scheduled('manual', until, { override: { power: 0.4, until } })).toBe('manual until 21:00')
  })

  test('a room that heats ahead says how warm it is to be and when', () => {
    const more = { power: 0.5, warming_for: '2026-01-17T04:30:00.000Z' }
    expect(scheduled('programme', '2026-01-17T04:30:00.000Z', more)).toBe('warm by 05:30')
    const next = { at: '2026-01-17T04:30:00.000Z', setpoint: 22 }
    const schedule = { setpoint: 19.5, reason: 'programme', until: next.at, next }
    expect(scheduleInWords(room({ ...more, schedule }), words)).toBe('then 22.0° by 05:30')
  })
})

describe('the outlook in words', () => {
  const outlook = (changes: Partial<AppOutlook>): AppOutlook => ({
    setpoint: 23,
    reason: 'target',
    until: null,
    next: null,
    reached_at: null,
    heating: true,
    reach: 'reached',
    why_not: null,
    heat_kwh: null,
    warm_up: null,
    ...changes,
  })
  const said = (changes: Partial<AppOutlook>, more: object = {}) =>
    outlookInWords(outlook(changes), room(more), words).join(' ')

  test('says where the room is, where it goes and by when', () => {
    const coming = { reach: 'expected', reached_at: '2026-01-16T18:00:00.000Z', heat_kwh: 2.4 } as const
    expect(said(coming, { power: 0.5 })).toBe(
      'Heating to reach 23.0° by about 19:00. It is 21.4° now, and this floor warms the room by about 0.4° an hour. That takes about 2.4 kWh.',
    )
    expect(said(coming)).toMatch(/^The room reaches 23.0° by about 19:00\./)
  })

  test('a room that needs no heat to get there is not said to be warmed by its floor, nor for 0.0 kWh', () => {
    const coming = { reach: 'expected', reached_at: '2026-01-16T18:00:00.000Z', heat_kwh: 0.04 } as const
    expect(said(coming)).toBe('The room reaches 23.0° by about 19:00 without heating. It is 21.4° now.')
    expect(said(coming, { power: 0.5 })).toBe(
      'Heating to reach 23.0° by about 19:00. It is 21.4° now, and this floor warms the room by about 0.4° an hour.',
    )
  })

  test('agrees with the state: only a floor that is heated is said to be heated', () => {
    expect(said({}, { power: 0 })).toBe('It is 21.4° now, warm enough for 23.0°.')
    expect(said({}, { power: 0.1 })).toBe('It is 21.4° now. Heating to keep 23.0°.')
  })

  test('a room that was just turned off is off, whatever its outlook was before', () => {
    const off = { power: 0, override: { hvac_mode: 'off', until: '2026-01-16T20:00:00.000Z' } }
    const next = { at: '2026-01-16T21:30:00.000Z', setpoint: 20 }
    expect(said({ reach: 'no', why_not: 'manual', next }, off)).toBe('The room is off. It is 21.4° now.')
    expect(said({ reach: 'no', why_not: 'off', next }, off)).toMatch(/^The room is off\. It is 21\.4° now\. From 22:30/)
  })

  test('says what is missing, and what comes next', () => {
    expect(said({ reach: 'no', why_not: 'no-valve' })).toMatch(/this room has no valve yet/)
    expect(said({ next: { at: '2026-01-16T21:30:00.000Z', setpoint: 20 } })).toMatch(/From 22:30: 20.0°\.$/)
    const warm_up = {
      at: '2026-01-17T05:30:00.000Z',
      setpoint: 22,
      heats_from: '2026-01-17T02:10:00.000Z',
      in_time: true,
      heat_kwh: null,
    }
    expect(said({ warm_up })).toMatch(/Heating for 22.0° starts at about 03:10, so that the room is warm by 06:30\.$/)
  })

  test('a room that is warm enough and heated for what comes next says so, and not that heating will start', () => {
    const warm_up = {
      at: '2026-01-17T05:30:00.000Z',
      setpoint: 22,
      heats_from: '2026-01-16T16:10:00.000Z',
      in_time: true,
      heat_kwh: null,
    }
    const ahead = { power: 1, warming_for: warm_up.at }
    const next = { at: warm_up.at, setpoint: 22 }
    expect(said({ warm_up, next, setpoint: 20 }, ahead)).toBe('It is 21.4° now. Heating, so that it is 22.0° by 06:30.')
    expect(said({ warm_up: { ...warm_up, in_time: false }, setpoint: 20 }, ahead)).toBe(
      'It is 21.4° now. Heating for 22.0°, which will be reached only after 06:30.',
    )
    expect(said({ warm_up, next, setpoint: 20 }, { power: 0.1, warming_for: null })).toMatch(/Heating to keep 20.0°/)
  })
})

describe('a week', () => {
  const clock = fc
    .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
    .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'))
  const day = fc.uniqueArray(fc.record({ at: clock, setback: fc.integer({ min: 0, max: 10 }) }), {
    maxLength: 6,
    selector: ({ at }) => at,
  })
  const week = fc
    .tuple(...WEEKDAYS.map(() => day))
    .map((days): Programme => Object.fromEntries(WEEKDAYS.map((name, i) => [name, days[i] ?? []])))

  test('has every minute of every day exactly once, and begins as the day before ended', () => {
    fc.assert(
      fc.property(week, fc.constantFrom(...WEEKDAYS), (programme, name) => {
        const segments = segmentsOf(programme, name)
        expect(segments[0]?.fromMin).toBe(0)
        const ends = segments.map(({ toMin }) => toMin)
        expect(ends).toEqual([...segments.slice(1).map(({ fromMin }) => fromMin), 1440])
        if (segments[0] && !programme[name]?.some(({ at }) => at === '00:00')) {
          expect(segments[0].setback).toBe(setbackBefore(programme, name))
        }
      }),
    )
  })

  test('is sent in an order the service accepts, also after days were copied and steps added', () => {
    fc.assert(
      fc.property(week, fc.constantFrom(...WEEKDAYS), (programme, name) => {
        const copied = tidied(copyDay(programme, name, WEEKDAYS))
        if (Object.keys(copied).length > 0) expect(programmeProblems(copied)).toEqual([])
        expect(copied.monday).toEqual(copied.sunday)
      }),
    )
    expect(programmeProblems(tidied({ monday: withNewStep([], 2) }))).toEqual([])
  })

  test('begins with the nights the room has', () => {
    const night = { from: '22:00', to: '06:00', setback: 3 }
    expect(weekOf({ programme: null, night_mode: night }).friday).toContainEqual({ at: '22:00', setback: 3 })
  })

  test('is shaded in a chart where it lowers the setpoint, by the clock of the building', () => {
    const programme = { monday: [{ at: '06:00', setback: 0 }], friday: [{ at: '22:00', setback: 2 }] }
    const fromS = Date.parse('2026-01-16T12:00:00Z') / 1000
    const toS = Date.parse('2026-01-20T00:00:00Z') / 1000
    expect(loweredIn(programme, fromS, toS, timeZone).map(({ fromS, toS }) => [iso(fromS), iso(toS)])).toEqual([
      ['2026-01-16T21:00', '2026-01-19T05:00'],
    ])
  })
})

const iso = (atS: number) => new Date(atS * 1000).toISOString().slice(0, 16)

test('the usual returns lie ahead, by the clock of the building, and none twice', () => {
  fc.assert(
    fc.property(fc.integer({ min: now, max: now + 30 * 86_400_000 }), (atMs) => {
      const ends = usualReturns(atMs, timeZone).map((end) => end.atMs)
      expect(ends.length).toBeGreaterThan(1)
      expect(new Set(ends).size).toBe(ends.length)
      for (const end of ends) expect(end).toBeGreaterThan(atMs)
    }),
  )
  expect(usualReturns(now, timeZone).map(({ key, atMs }) => [key, format.until(atMs, now, timeZone)])).toEqual([
    ['tonight', '22:00'],
    ['tomorrow', 'Sat 18:00'],
    ['sunday', 'Sun 18:00'],
    ['week', '23 Jan, 18:00'],
  ])
})
