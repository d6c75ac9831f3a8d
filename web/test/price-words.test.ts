import { expect, test } from 'vitest'
import { formatsFor } from '../src/i18n/formats.ts'
import { priceInWords } from '../src/room/price-words.ts'
import { translatorIn } from './translate.ts'

const said = (language: 'en' | 'de', kind: 'cheap' | 'waits', until: string) => {
  const t = translatorIn(language)
  const format = formatsFor(language, t, 'C', [language])
  const now = Date.parse('2026-01-10T22:00:00.000Z')
  return priceInWords({ kind, until }, { t, format, now, timeZone: 'Europe/Oslo' })
}

test('a room says until when heat is cheap, or from when on it will be, in the time of its building', () => {
  expect(said('en', 'cheap', '2026-01-11T04:00:00.000Z')).toBe('Heat is cheap until 05:00: the floor stores it.')
  expect(said('en', 'waits', '2026-01-11T12:00:00.000Z')).toBe('The room waits for cheaper heat from 13:00.')
  expect(said('de', 'waits', '2026-01-11T12:00:00.000Z')).toBe('Der Raum wartet auf günstigere Wärme ab 13:00.')
})
