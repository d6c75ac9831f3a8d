import type { ChangeEntry } from '@hypocaust/domain'
import { expect, test } from 'vitest'
import { BUILDING_SETTINGS, ROOM_SETTINGS } from '../../service/src/house/change-log/settings.ts'
import { actorInWords, changeInWords } from '../src/changes/words.ts'
import { formatsFor } from '../src/i18n/formats.ts'
import { translator } from '../src/i18n/translator.ts'

const t = translator('en')
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
  expect(changeInWords(entry({ before: 21, after: 22 }), words)).toBe('Bathroom: target 21.0° → 22.0°')
  const off = { field: 'manual_power', before: { enabled: false, power: 0 }, after: { enabled: true, power: 0 } }
  expect(changeInWords(entry(off), words)).toBe('Bathroom: mode automatic → off')
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
  const german = { ...words, t: translator('de') }
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
