import type { RoomAir } from '@hypocaust/domain'
import { expect, test } from 'vitest'
import { formatsFor } from '../src/i18n/formats.ts'
import { airInWords, mouldAdvice } from '../src/room/air-words.ts'
import { translatorIn } from './translate.ts'

const around = (language: 'en' | 'de') => {
  const t = translatorIn(language)
  const now = Date.parse('2026-01-14T10:00:00Z')
  return { t, format: formatsFor(language, t), now, timeZone: 'Europe/Berlin' }
}
const air: RoomAir = {
  temperature: 20,
  humidity: 58,
  dew_point: 11.5,
  absolute_humidity: 10,
  surface_factor: 0.7,
  surface_temperature: 12,
  surface_humidity: 90,
  damp_hours: 14.2,
  mould_risk: 'high',
  airing: { advice: 'now', minutes: 6, from: null },
  warmed_by: 0,
}

test('humidity, dew point and risk are one quiet line, of what is known', () => {
  expect(airInWords(air, around('en'))).toEqual(['58\u00a0% humidity', 'dew point 11.5°', 'mould risk high'])
  expect(airInWords({ ...air, humidity: null, dew_point: null, mould_risk: null }, around('en'))).toEqual([])
})

test('what to do is said where mould may grow, and nothing where it may not', () => {
  expect(mouldAdvice(air, around('en'))).toEqual([
    'The air at the coldest wall has been above 80\u00a0% humidity for 14 hours a day.',
    'Airing helps now: open the windows wide for 6 minutes.',
  ])
  expect(mouldAdvice({ ...air, mould_risk: 'low' }, around('en'))).toEqual([])
})

test('airing that helps later names the hour of the building, and warmth against mould is said', () => {
  const later: RoomAir = {
    ...air,
    airing: { advice: 'later', minutes: null, from: '2026-01-14T19:00:00.000Z' },
    warmed_by: 0.6,
  }
  expect(mouldAdvice(later, around('de')).slice(1)).toEqual([
    'Lüften hilft ab 20:00.',
    'Der Raum wird dagegen 0,6° wärmer gehalten.',
  ])
})
