import type { AppRoom } from '@hypocaust/domain'
import { expect, test } from 'vitest'
import { formatsFor } from '../src/i18n/formats.ts'
import { actsInWords } from '../src/room/acts-words.ts'
import { translatorIn } from './translate.ts'

const t = translatorIn('en')
const UNTIL = '2026-01-16T20:00:00.000Z'
// A Friday, 15:00 in Oslo.
const DAY = Date.parse('2026-01-16T14:00:00Z')

const acts = (changes: object, now = DAY) =>
  actsInWords(
    {
      power: 0,
      manual_power: { enabled: false, power: 0 },
      override: null,
      only_watch: false,
      loops_held: null,
      schedule: { setpoint: 20, reason: 'target', until: null, next: null },
      ...changes,
    } as unknown as AppRoom,
    { t, format: formatsFor('en', t, 'C', ['en-GB']), now, timeZone: 'Europe/Oslo' },
  )

const scheduled = (reason: string) => ({ schedule: { setpoint: 20, reason, until: UNTIL, next: null } })

test('a temperature is named by what it comes from', () => {
  expect(acts({})).toEqual({ name: 'Comfort', isTemperature: true })
  expect(acts(scheduled('away')).name).toBe('Away')
  expect(acts(scheduled('programme')).name).toBe('Lowered')
  expect(acts(scheduled('programme'), DAY + 8 * 3_600_000).name).toBe('Night')
  expect(acts({ override: { target_temperature: 23, until: UNTIL } }).name).toBe('Until 21:00')
  expect(acts({ override: { target_temperature: 23, until: '2026-12-02T21:00:00Z' } }).name).toBe('Until 2 Dec')
})

test('off, under manual power, watched and during a search no temperature is aimed for', () => {
  const off = { manual_power: { enabled: true, power: 0 } }
  expect(acts(off)).toEqual({ name: 'Off', isTemperature: false })
  expect(acts({ ...off, power: 1 })).toEqual({ name: 'Off, frost protection', isTemperature: false })
  expect(acts({ override: { hvac_mode: 'off', until: UNTIL } }).name).toBe('Off until 21:00')
  expect(acts({ manual_power: { enabled: true, power: 0.4 } })).toEqual({ name: 'Manual', isTemperature: false })
  expect(acts({ only_watch: true })).toEqual({ name: 'Only watching', isTemperature: false })
  expect(acts({ loops_held: 'loop-search' })).toEqual({ name: 'Loop search', isTemperature: false })
})
