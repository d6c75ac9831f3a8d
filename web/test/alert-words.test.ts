import type { Alert } from '@hypocaust/domain'
import { expect, test } from 'vitest'
import { alertInWords } from '../src/alerts/words.ts'
import { formatsFor } from '../src/i18n/formats.ts'
import type { Language } from '../src/i18n/languages.ts'
import type { Unit } from '../src/i18n/units.ts'
import { translatorIn } from './translate.ts'

const BLANK: Omit<Alert, 'kind'> = {
  ...{
    building_id: '1',
    building: 'Lakeside 12',
    room_id: null,
    room: null,
    room_names: null,
    began_at: null,
    since: null,
    value: null,
    airing: null,
    diagnosis: null,
  },
}

function said(alert: Partial<Alert> & Pick<Alert, 'kind'>, language: Language = 'en', unit: Unit = 'C') {
  const t = translatorIn(language)
  const format = formatsFor(language, t, unit, [language])
  return alertInWords({ ...BLANK, ...alert }, { t, format, now: Date.parse('2026-01-14T12:00:00Z'), timezone: 'UTC' })
}

test('how far rooms are too cold is a difference in every unit', () => {
  const alert = { kind: 'supply_too_cold', value: 1, began_at: '2026-01-14T02:00:00Z' } as const
  expect(said(alert).advice).toContain('they are 1.0° too cold')
  expect(said(alert, 'en', 'F').advice).toContain('they are 1.8° too cold')
})

test('an alert that leaves open why names the probable cause', () => {
  const diagnosis = { cause: 'little_flow' as const, probability: 0.82 }
  const { advice } = said({ kind: 'loop_low_flow', value: 1, began_at: '2026-01-14T02:00:00Z', diagnosis }, 'de')
  expect(advice).toMatch(/Wahrscheinliche Ursache \(82\s%\): Der Heizkreis bekommt zu wenig Wasser/)
})

test('an alert about two rooms names both', () => {
  const alert = { kind: 'sensors_swapped' as const, room_names: ['Küche', 'Bad'] }
  expect(said(alert).text).toBe('Lakeside 12: Küche and Bad seem swapped')
  expect(said(alert, 'de').text).toBe('Lakeside 12: Küche und Bad scheinen vertauscht zu sein')
})
