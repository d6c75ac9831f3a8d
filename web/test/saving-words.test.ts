import type { RoomSavings } from '@hypocaust/domain'
import { expect, test } from 'vitest'
import { savingsInWords } from '../src/building/saving-words.ts'
import { formatsFor } from '../src/i18n/formats.ts'
import type { Language } from '../src/i18n/languages.ts'
import { translatorIn } from './translate.ts'

const SAVINGS: RoomSavings = {
  days: 28,
  target_temperature: 21,
  half_degree_less: { percent: 2.6, plus_minus: 1.4 },
  setback_hour_earlier: { percent: 0.6, plus_minus: 0.9 },
}

function said(savings: RoomSavings, language: Language = 'en') {
  const t = translatorIn(language)
  return savingsInWords(savings, t, formatsFor(language, t, 'C', []))
}

test('a saving is shown with its uncertainty, and one within it as none', () => {
  expect(said(SAVINGS)).toEqual([
    'At 20.5° instead of 21.0°, this room would have taken 2.6\u00a0% less heat in the last 28 days (±\u00a01.4\u00a0%).',
    'With each setback an hour earlier, this room would have taken about as much heat in the last 28 days.',
  ])
  expect(said(SAVINGS, 'de')[0]).toBe(
    'Mit 20,5° statt 21,0° hätte der Raum in den letzten 28 Tagen 2,6\u00a0% weniger Wärme gebraucht (±\u00a01,4\u00a0%).',
  )
})

test('a room without setback has no sentence about it', () => {
  expect(said({ ...SAVINGS, setback_hour_earlier: null })).toHaveLength(1)
})
