import type { ChangeEntry } from '@hypocaust/domain'
import { describe, expect, test } from 'vitest'
import { BUILDING_SETTINGS, ROOM_SETTINGS } from '../../service/src/house/change-log/settings.ts'
import { actorInWords, changeInWords } from '../src/changes/words.ts'
import { formatsFor } from '../src/i18n/formats.ts'
import { translatorIn } from './translate.ts'

const t = translatorIn('en')
const words = { t, format: formatsFor('en', t, 'C', ['en-GB']), timeZone: 'Europe/Oslo' }
const entry = (change: Partial<ChangeEntry>): ChangeEntry => ({
  sequence: 1,
  at: '2026-01-10T08:15:03.000Z',
  actor: { kind: 'person', name: 'ada@example.org', role: 'owner', holder: null },
  room_id: null,
  subject: 'Bathroom',
  field: 'target_temperature',
  before: null,
  after: null,
  can_undo: false,
  ...change,
})

test('a change is said with its label and both values', () => {
  expect(changeInWords(entry({ before: 21, after: 22 }), words)).toBe('Bathroom: comfort temperature 21.0° → 22.0°')
  const off = { field: 'manual_power', before: { enabled: false, power: 0 }, after: { enabled: true, power: 0 } }
  expect(changeInWords(entry(off), words)).toBe('Bathroom: mode automatic → off')
})

test('an account that was removed is said in the language of the reader', () => {
  const german = translatorIn('de')
  for (const kind of ['person', 'key'] as const) {
    const change = entry({ actor: { kind, name: '', role: 'owner', holder: null } })
    expect(actorInWords(change, t)).toBe('Removed account')
    expect(actorInWords(change, german)).toBe('Entferntes Konto')
  }
  const left = { subject: '', field: 'role', before: { role: 'guest' } }
  expect(changeInWords(entry(left), words)).toMatch(/^Removed account: /)
})

test('a tariff is said with its prices', () => {
  const said = (before: unknown, after: unknown) =>
    changeInWords(entry({ subject: 'Lakeside 12', field: 'tariff', before, after }), words)
  expect(said({ kind: 'fixed', price: 0.3 }, { kind: 'fixed', price: 0.255 })).toBe(
    'Lakeside 12: tariff 0.3 per kWh → 0.255 per kWh',
  )
  const steps = [
    { at: '06:00', price: 0.3 },
    { at: '22:00', price: 0.2 },
  ]
  expect(said(null, { kind: 'times', steps })).toBe(
    'Lakeside 12: tariff none → from 06:00 0.3 per kWh, from 22:00 0.2 per kWh',
  )
  expect(said({ kind: 'gateway' }, { kind: 'market', area: 'NO1', factor: 1.25, surcharge: 0.05 })).toBe(
    'Lakeside 12: tariff Prices from a gateway → Day-ahead prices NO1 × 1.25 + 0.05 per kWh',
  )
})

test('an absence is said with its beginning and its end', () => {
  const said = (until: string | null) =>
    changeInWords(
      entry({ subject: '', field: 'away', after: { from: '2026-01-16T07:00:00Z', until, temperature: 15 } }),
      words,
    )
  expect(said('2026-01-18T17:00:00Z')).toMatch(/none → Fri 16 Jan,? 08:00 until Sun 18 Jan,? 18:00, 15\.0°$/)
  expect(said(null)).toMatch(/none → Fri 16 Jan,? 08:00 until you are back, 15\.0°$/)
})

test('a heat source is said with its figures', () => {
  const said = (before: unknown, after: unknown) =>
    changeInWords(entry({ subject: 'Lakeside 12', field: 'heat_source', before, after }), words)
  expect(said({ kind: 'boiler', efficiency: 0.95 }, { kind: 'boiler' })).toBe(
    'Lakeside 12: heat source Gas or oil boiler, efficiency 0.95 → Gas or oil boiler',
  )
  expect(said({ kind: 'heat_pump', cop: 3.9 }, { kind: 'heat_pump', cop: 4.1, supply: { max: 40 } })).toBe(
    'Lakeside 12: heat source Heat pump, COP 3.9 → Heat pump, COP 4.1, supply 22.0° to 40.0°',
  )
})

describe('a programme', () => {
  const said = (before: unknown, after: unknown) => changeInWords(entry({ field: 'programme', before, after }), words)
  const weekday = [
    { at: '05:30', setback: 0 },
    { at: '22:00', setback: 2 },
  ]
  const week = { monday: weekday, tuesday: weekday, wednesday: weekday, saturday: [{ at: '07:00', setback: 0 }] }

  test('is said day by day, days in a row that are alike together', () => {
    const night = { from: '22:00', to: '05:30', setback: 2 }
    expect(said({ night_mode: night }, { programme: week })).toBe(
      'Bathroom: programme every night 22:00–05:30, −2.0° → ' +
        'Monday–Wednesday 05:30 comfort, 22:00 −2.0°; Saturday 07:00 comfort',
    )
  })

  test('of two week programmes only the days and dates that differ are said', () => {
    const earlier = {
      ...week,
      tuesday: [{ at: '05:00', setback: 0 }],
      dates: [{ date: '2026-12-24', follows: 'sunday' }],
    }
    expect(said({ programme: week }, { programme: earlier })).toBe(
      'Bathroom: programme Tuesday 05:30 comfort, 22:00 −2.0° → Tuesday 05:00 comfort; 24 Dec 2026 as Sunday',
    )
    const { saturday: _, ...shorter } = week
    expect(said({ programme: shorter }, { programme: week })).toBe(
      'Bathroom: programme Saturday no steps → Saturday 07:00 comfort',
    )
    const dated = (follows: string) => ({ programme: { ...week, dates: [{ date: '2026-12-24', follows }] } })
    expect(said(dated('sunday'), dated('saturday'))).toBe(
      'Bathroom: programme 24 Dec 2026 as Sunday → 24 Dec 2026 as Saturday',
    )
    expect(said(dated('sunday'), { programme: week })).toBe('Bathroom: programme 24 Dec 2026 as Sunday → none')
  })

  test('is said with the times of the weekend', () => {
    const night = { from: '22:00', to: '05:30', setback: 2 }
    const late = { ...night, weekend: { from: '23:00', to: '08:00' } }
    expect(said({ night_mode: night }, { night_mode: late })).toBe(
      'Bathroom: programme every night 22:00–05:30, −2.0° → every night 22:00–05:30, −2.0°, at the weekend 23:00–08:00',
    )
  })
})

test('a member joins, changes the role and leaves', () => {
  const said = (before: unknown, after: unknown) =>
    changeInWords(entry({ subject: 'ben@example.org', field: 'role', before, after }), words)
  const [resident, owner] = ['resident', 'owner'].map((role) => ({ role, rooms: null, until: null }))
  expect(said(null, resident)).toBe('ben@example.org: joined as Resident')
  expect(said(resident, owner)).toBe('ben@example.org: role Resident → Owner')
  expect(said(owner, null)).toBe('ben@example.org: access as Owner ended')
})

test('every setting that the service logs has a label', () => {
  // In German, no label is the name of its field.
  const german = { ...words, t: translatorIn('de') }
  const fields = [...ROOM_SETTINGS, ...BUILDING_SETTINGS].map(({ field }) => field)
  expect(fields.filter((field) => changeInWords(entry({ field }), german).startsWith(`Bathroom: ${field} `))).toEqual(
    [],
  )
})

test('a setting that this version does not know is shown as it was logged', () => {
  expect(changeInWords(entry({ field: 'gone_setting', before: false, after: { a: 1 } }), words)).toBe(
    'Bathroom: gone_setting false → {"a":1}',
  )
})

test('says who made a change', () => {
  const by = (actor: Partial<ChangeEntry['actor']>) =>
    actorInWords(entry({ actor: { kind: 'person', name: '', role: null, holder: null, ...actor } }), t)
  expect(by({ name: 'ines@example.org', role: 'installer' })).toBe('ines@example.org (Installer)')
  expect(by({ kind: 'key', name: 'Tablet', holder: 'ben@example.org' })).toBe('API key “Tablet” of ben@example.org')
  expect(by({ kind: 'rule', name: 'override_ended' })).toBe('End of the override')
  expect(by({ kind: 'control' })).toBe('Heating control')
})
