import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  CLOCK_PATTERN,
  ENTRY_KEY_PATTERN,
  inWords,
  matches,
  NAME_PATTERN,
  Name,
  SENSOR_ID_PATTERN,
  SensorId,
  slugOf,
  TIMESTAMP_PATTERN,
  timestampOf,
} from '../src/index.ts'

const isName = (text: string) => matches(Name('', ''), text)

/** Marks of direction, spaces without width and their like. */
const INVISIBLE = [0x61c, 0x200b, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0xfeff]
  .concat(Array.from({ length: 10 }, (_, i) => 0x2060 + i))
  .map((code) => String.fromCodePoint(code))

/** The rule for names in other words than the pattern's. */
function isNameByRule(text: string): boolean {
  const trimmed = [...text.trim()]
  const isPlain = (character: string) => !/\p{Cc}|\p{Cs}/u.test(character) && !INVISIBLE.includes(character)
  const joins = (character = '') => '\u200c\u200d'.includes(character)
  if (joins(trimmed.at(-1)) || /^\p{DI}/u.test(trimmed.at(0) ?? '')) return false
  return trimmed.length >= 1 && trimmed.length <= 100 && trimmed.every(isPlain)
}

describe('a name', () => {
  test('is 1 to 100 characters after trimming without control characters, whatever the text', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 110 }),
      fc.string({
        unit: fc.constantFrom(' ', 'a', '\n', '\u0000', '🛁', '\ud800', '\u00a0', '\u202e', '\u200b', '\u200d'),
        maxLength: 110,
      }),
    )
    fc.assert(
      fc.property(text, (name) => {
        expect(isName(name)).toBe(isNameByRule(name))
      }),
      { numRuns: 1000 },
    )
  })

  test.each([
    ['one character', 'x', true],
    ['a hundred', 'x'.repeat(100), true],
    ['a hundred and one', 'x'.repeat(101), false],
    ['a hundred within spaces', `  ${'x'.repeat(100)}  `, true],
    ['none', '', false],
    ['spaces alone', '   ', false],
    ['a space without width alone', '\u200b', false],
    ['a variation selector alone', '\ufe0f', false],
    ['a Hangul filler alone', '\u3164', false],
    ['an emoji with its variation selector', '❤\ufe0f', true],
    ['a turned direction', 'Bath\u202eroom', false],
    ['joined emoji', '👨\u200d👩\u200d👧', true],
  ])('of %s: %j is possible: %s', (_what, name, possible) => {
    expect(isName(name)).toBe(possible)
  })
})

describe('a sensor id', () => {
  test('is colon-separated pairs of hexadecimal digits', () => {
    const pair = fc.integer({ min: 0, max: 255 }).map((byte) => byte.toString(16).padStart(2, '0'))
    fc.assert(
      fc.property(fc.array(pair, { minLength: 2, maxLength: 16 }), fc.boolean(), (pairs, isUpper) => {
        const id = pairs.join(':')
        expect(matches(SensorId, isUpper ? id.toUpperCase() : id)).toBe(true)
      }),
    )
  })

  test.each(['', 'a4', 'a4:', 'a4:c', 'a4c1', 'a4-c1', 'g4:c1', 'a4:c1:', ' a4:c1', 'a4:c1\n'])(
    '%j is none',
    (text) => {
      expect(matches(SensorId, text)).toBe(false)
    },
  )
})

describe('the key made from a name', () => {
  test.each([
    ['Living room', 'living-room'],
    ['  Spa / Bad ', 'spa-bad'],
    ['Salle d’eau', 'salle-d-eau'],
    ['Kjøkken', 'kj-kken'],
    ['Küche', 'kuche'],
    ['BATH', 'bath'],
  ])('%s is %s', (name, key) => {
    expect(slugOf(name)).toBe(key)
  })

  test('is itself a key, or empty, and its own key', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        const key = slugOf(name)
        if (key !== '') expect(key).toMatch(new RegExp(ENTRY_KEY_PATTERN))
        expect(slugOf(key)).toBe(key)
      }),
    )
  })
})

describe('a time stamp', () => {
  test('is UTC with milliseconds and Z, whatever the time', () => {
    const time = fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
    fc.assert(
      fc.property(time, (date) => {
        const text = timestampOf(date.getTime())
        expect(text).toMatch(new RegExp(TIMESTAMP_PATTERN))
        expect(Date.parse(text)).toBe(date.getTime())
      }),
    )
  })

  test('of the decisions', () => {
    expect(timestampOf(Date.UTC(2026, 0, 10, 8, 15, 3))).toBe('2026-01-10T08:15:03.000Z')
  })
})

test('every pattern a person can meet is explained in words', () => {
  for (const pattern of [NAME_PATTERN, SENSOR_ID_PATTERN, TIMESTAMP_PATTERN, CLOCK_PATTERN, ENTRY_KEY_PATTERN]) {
    expect(inWords(pattern)).toMatch(/^must be /)
  }
})
