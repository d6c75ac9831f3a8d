import type { AppOutlook, AppRoom } from '@hypocaust/domain'
import { type Programme, programmeProblems, WEEKDAYS } from '@hypocaust/domain/facts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatsFor } from '../src/i18n/formats.ts'
import { outlookInWords } from '../src/room/outlook-words.ts'
import { promiseInWords } from '../src/room/promise-words.ts'
import { scheduleInWords } from '../src/room/schedule-words.ts'
import { blocksOf, moveEdge, removeStep, setSetback, split, TEMPLATES } from '../src/schedule/blocks.ts'
import { usualReturns } from '../src/schedule/ends.ts'
import { copyDay, setbackBefore, tidied, weekOf } from '../src/schedule/week.ts'
import { translatorIn } from './translate.ts'

const t = translatorIn('en')
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
})

describe('the outlook in words', () => {
  const outlook = (changes: Partial<AppOutlook>): AppOutlook => ({
    setpoint: 23,
    reason: 'target',
    until: null,
    next: null,
    reached_at: null,
    heating: true,
    activity: 'warm_enough',
    next_expected: null,
    next_reached_at: null,
    floor_temperature: null,
    floor_measured: false,
    reach: 'reached',
    why_not: null,
    heat_kwh: null,
    warm_up: null,
    floor_error: null,
    target_of: 'air',
    warm_floor: null,
    blinds: null,
    ...changes,
  })
  const said = (changes: Partial<AppOutlook>, more: object = {}) =>
    outlookInWords(outlook(changes), room(more), words).join(' ')

  test('says where the room is, where it goes and by when', () => {
    const coming = {
      activity: 'heating',
      reach: 'expected',
      reached_at: '2026-01-16T18:00:00.000Z',
      heat_kwh: 2.4,
    } as const
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

  test('a floor that is open for its base warmth is not said to keep the room warm', () => {
    expect(said({ activity: 'base_warmth' }, { power: 0.08 })).toBe(
      'It is 21.4° now, warm enough for 23.0°. The floor is kept slightly warm, as set under Floor warmth.',
    )
  })

  test('a floor that rests between two openings is not said to be warm enough', () => {
    expect(said({ activity: 'between_openings' }, { power: 0 })).toMatch(
      /^It is 21.4° now\. To keep 23.0°, the valve opens/,
    )
    expect(said({ activity: 'heating' }, { power: 0.1 })).toBe('It is 21.4° now. Heating to keep 23.0°.')
    expect(said({ activity: 'warm_enough' })).toBe('It is 21.4° now, warm enough for 23.0°.')
  })

  test('a room that was just turned off is off, whatever its outlook was before', () => {
    const off = { power: 0, override: { hvac_mode: 'off', until: '2026-01-16T20:00:00.000Z' } }
    const next = { at: '2026-01-16T21:30:00.000Z', setpoint: 20 }
    expect(said({ activity: 'manual', next }, off)).toBe('The room is off. It is 21.4° now.')
    expect(said({ activity: 'off', next: null }, off)).toBe('The room is off. It is 21.4° now.')
  })

  test('a room of a loop search is neither off nor waits for a change', () => {
    expect(said({ activity: 'loop_search', reach: 'no', why_not: 'off' }, { power: 0 })).toMatch(
      /^The search for loops is running; this room gets 0\u00a0%\..* It is 21\.4° now\.$/,
    )
  })

  test('under manual power no setpoint is named', () => {
    const manual = { power: 0.4, manual_power: { enabled: true, power: 0.4 } }
    expect(said({ activity: 'manual', reach: 'no', why_not: 'manual' }, manual)).toBe(
      'The floor is heated with 40\u00a0%, whatever the temperature. It is 21.4° now.',
    )
  })

  test('says what is missing, and what comes next', () => {
    expect(said({ activity: 'no_valve', reach: 'no', why_not: 'no-valve' })).toMatch(/it has no loop yet/)
    expect(said({ next: { at: '2026-01-16T21:30:00.000Z', setpoint: 20 } })).toMatch(/Next: 20.0° from 22:30\.$/)
  })

  describe('promises what the plan expects, and not what was wished', () => {
    const at = '2026-01-17T04:30:00.000Z'
    const next = { at, setpoint: 21.5 }
    const rise = (changes: object) => ({
      at,
      setpoint: 21.5,
      expected: 21.4,
      reached_at: at,
      heats_from: '2026-01-17T01:40:00.000Z',
      in_time: true,
      heat_kwh: null,
      ...changes,
    })

    test('with the moment at which heating begins', () => {
      expect(said({ next, warm_up: rise({}) })).toMatch(/Heating begins at about 02:40\. Expected: 21\.4° at 05:30\.$/)
    })

    test('where the floor needs longer than there is, both temperatures with their times', () => {
      const late = rise({ in_time: false, expected: 21, reached_at: '2026-01-17T05:10:00.000Z' })
      expect(promiseInWords(outlook({ next, warm_up: late }), words)).toBe('21.0° at 05:30, 21.5° at 06:10')
      const never = rise({ in_time: false, expected: 20.1, reached_at: null })
      expect(promiseInWords(outlook({ next, warm_up: never }), words)).toBe('20.1° at 05:30, not 21.5°')
    })

    test('where the setpoint ends before the floor has warmed the room, or heat is missing, that it is not reached', () => {
      const ends = outlook({ setpoint: 22, next, reach: 'no', why_not: 'ends-before' })
      expect(promiseInWords(ends, words)).toBe('22.0° not reached by 05:30')
      const lacks = outlook({ setpoint: 22, next, reach: 'no', why_not: 'too-little-heat' })
      expect(promiseInWords(lacks, words)).toBe('22.0° not within a day')
    })

    test('while the floor is heated for it already, without a beginning that has passed', () => {
      const begun = rise({ heats_from: '2026-01-16T13:00:00.000Z' })
      expect(said({ next, warm_up: begun, activity: 'warming_ahead' }, { power: 1 })).toBe(
        'It is 21.4° now. The floor is heated for what comes next. Next: 21.4° at 05:30.',
      )
    })

    test('and where nothing comes, what the room stays at', () => {
      expect(promiseInWords(outlook({ activity: 'heating' }), words)).toBe('Stays at 23.0°')
      expect(promiseInWords(outlook({ activity: 'between_openings' }), words)).toBe('Stays at 23.0°')
      expect(promiseInWords(outlook({ activity: 'warm_enough' }), words)).toBe('Warm enough')
      expect(promiseInWords(outlook({ activity: 'off', reach: 'no', why_not: 'off' }), words)).toBeUndefined()
    })
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
        const tidy = tidied(programme)
        const blocks = blocksOf(tidy, name)
        expect(blocks[0]?.fromMin).toBe(0)
        const ends = blocks.map(({ toMin }) => toMin)
        expect(ends).toEqual([...blocks.slice(1).map(({ fromMin }) => fromMin), 1440])
        if (blocks[0]?.step === null) expect(blocks[0].setback).toBe(setbackBefore(tidy, name))
      }),
    )
  })

  test('is sent in an order the service accepts, whatever edges are dragged, blocks warmed, split and removed', () => {
    const deed = fc.tuple(
      fc.constantFrom('move', 'warm', 'split', 'remove', 'copy'),
      fc.constantFrom(...WEEKDAYS),
      fc.nat({ max: 8 }),
      fc.integer({ min: -200, max: 1700 }),
    )
    fc.assert(
      fc.property(week, fc.array(deed, { maxLength: 12 }), (programme, deeds) => {
        let draft = tidied(programme)
        for (const [kind, name, index, minute] of deeds) {
          const blocks = blocksOf(draft, name)
          const block = blocks[index % blocks.length] as (typeof blocks)[number]
          if (kind === 'move') draft = moveEdge(draft, name, index, minute)
          if (kind === 'warm') draft = setSetback(draft, name, block, minute / 100)
          if (kind === 'split') draft = split(draft, name, block) ?? draft
          if (kind === 'remove') draft = removeStep(draft, name, index)
          if (kind === 'copy') draft = copyDay(draft, name, WEEKDAYS)
        }
        const sent = tidied(draft)
        if (Object.keys(sent).length > 0) expect(programmeProblems(sent)).toEqual([])
      }),
    )
  })

  test('an edge is dragged between its neighbours, in steps of a quarter of an hour', () => {
    const programme = { monday: [...TEMPLATES.home] }
    const at = (minute: number) => moveEdge(programme, 'monday', 1, minute).monday?.[1]?.at
    expect([at(367), at(-50), at(3000)]).toEqual(['06:00', '00:15', '22:15'])
  })

  test('no block is warmer than the comfort temperature', () => {
    const programme = { monday: [...TEMPLATES.home] }
    const [night] = blocksOf(programme, 'monday')
    if (!night) throw new Error('no block')
    expect(setSetback(programme, 'monday', night, -3).monday?.[0]?.setback).toBe(0)
  })

  test('begins with the nights the room has', () => {
    const night = { from: '22:00', to: '06:00', setback: 3 }
    expect(weekOf({ programme: null, night_mode: night }).friday).toContainEqual({ at: '22:00', setback: 3 })
  })
})

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
