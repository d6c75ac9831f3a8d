import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatsFor, localeFor } from '../src/i18n/formats.ts'
import { differenceIn, temperatureIn } from '../src/i18n/units.ts'
import { steppedC } from '../src/room/target-steps.ts'
import { clockIn, clockPlus } from '../src/ui/clock-in.ts'
import { numberIn } from '../src/ui/number-in.ts'
import { translatorIn } from './translate.ts'

const room = { min_temp: 7, max_temp: 35 }

describe('the chosen language', () => {
  test('rules numbers and dates, whatever the language of the browser', () => {
    const german = formatsFor('de', translatorIn('de'), 'C', ['en-US'])
    expect(german.degrees(-3.4)).toBe('−3,4')
    expect(german.moment(Date.UTC(2026, 0, 14, 4, 30), 'Europe/Oslo')).toMatch(/Mi.*14\. Jan.*05:30/)
  })

  test('takes the browser’s variant of it', () => {
    expect(localeFor('en', ['de-DE', 'en-US', 'en-GB'])).toBe('en-US')
  })

  test.each(['C', 'en_US.UTF-8', 'en-', ''])('works where the browser names %j as its language', (tag) => {
    expect(formatsFor('en', translatorIn('en'), 'C', [tag]).degrees(20.5)).toBe('20.5')
  })
})

test.each([
  [40, '1 min'],
  [90 * 60, '1 h 30'],
  [3 * 3600, '3 h'],
  [5 * 86_400, '5 days'],
])('%i seconds are %s', (seconds, said) => {
  const { duration } = formatsFor('en', translatorIn('en'), 'C', ['en-GB'])
  expect(duration(seconds).replaceAll('\u00a0', ' ')).toBe(said)
})

test('little heat is not shown as none', () => {
  const { energy } = formatsFor('en', translatorIn('en'), 'C', ['en-GB'])
  expect([0, 0.3, 9.94, 12.3].map(energy)).toEqual(['0.0', '0.3', '9.9', '12'])
})

describe('a moment ahead', () => {
  const { until } = formatsFor('en', translatorIn('en'), 'C', ['en-GB'])
  const nowMs = Date.UTC(2026, 0, 12, 16)

  test.each([
    ['22:30', Date.UTC(2026, 0, 12, 22, 30)],
    ['05:30', Date.UTC(2026, 0, 13, 5, 30)],
    ['Tue 16:00', Date.UTC(2026, 0, 13, 16)],
    ['Sat 18:00', Date.UTC(2026, 0, 17, 18)],
  ])('is %s', (words, atMs) => {
    expect(until(atMs, nowMs, 'UTC')).toBe(words)
  })
})

describe('degrees Fahrenheit', () => {
  const format = formatsFor('en', translatorIn('en'), 'F', ['en-US'])

  test('are shown for temperatures and for differences', () => {
    expect(format.degrees(20)).toBe('68.0')
    expect(format.kelvin(2)).toBe('3.6')
  })

  test('come back as they were entered', () => {
    fc.assert(
      fc.property(fc.integer({ min: 45, max: 95 }), (degrees) => {
        const { shown, stored } = temperatureIn('F')
        expect(shown(stored(degrees))).toBeCloseTo(degrees, 1)
        expect(differenceIn('F').shown(differenceIn('F').stored(degrees))).toBeCloseTo(degrees, 1)
      }),
    )
  })

  test('are stepped one by one, up and down again', () => {
    fc.assert(
      fc.property(fc.integer({ min: 46, max: 94 }), (degrees) => {
        const { shown, stored } = temperatureIn('F')
        const up = steppedC(stored(degrees), 1, 'F', room)
        expect(shown(up)).toBeCloseTo(degrees + 1, 1)
        expect(shown(steppedC(up, -1, 'F', room))).toBeCloseTo(degrees, 1)
      }),
    )
  })
})

test('a target between two steps goes to the next full one, and never beyond the limits', () => {
  expect([steppedC(21.3, 1, 'C', room), steppedC(21.3, -1, 'C', room)]).toEqual([21.5, 21])
  expect([steppedC(35, 1, 'C', room), steppedC(7, -1, 'C', room)]).toEqual([35, 7])
})

test.each([
  ['21,5', 21.5],
  ['21.5', 21.5],
  ['−3', -3],
  ['21.', 21],
  ['', undefined],
  ['warm', undefined],
  ['1,2,3', undefined],
])('%j is read as %j', (text, number) => {
  expect(numberIn(text)).toBe(number)
})

test.each([
  ['5:30', '05:30'],
  ['0530', '05:30'],
  ['530', '05:30'],
  ['5', '05:00'],
  ['23.59', '23:59'],
  ['24:00', undefined],
  ['12:60', undefined],
  ['noon', undefined],
])('%j is the time %j', (text, clock) => {
  expect(clockIn(text)).toBe(clock)
})

test('a time goes on around midnight', () => {
  expect([clockPlus('23:50', 15), clockPlus('00:05', -15)]).toEqual(['00:05', '23:50'])
})
