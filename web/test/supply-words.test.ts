import type { HeatSourceNow } from '@hypocaust/domain'
import { expect, test } from 'vitest'
import { supplyInWords } from '../src/building/supply-words.ts'
import { formatsFor } from '../src/i18n/formats.ts'
import type { Language } from '../src/i18n/languages.ts'
import { translatorIn } from './translate.ts'

type SupplyNow = NonNullable<HeatSourceNow['supply']>

const BATH: SupplyNow = {
  wanted: 33.5,
  why: 'room',
  room: { id: '1', name: 'Bad' },
  others: null,
  set: 33.5,
  measured: 32,
  circuits: [],
  day: null,
}

function said(supply: Partial<SupplyNow>, language: Language = 'en', decides: HeatSourceNow['decides'] = 'rooms') {
  const t = translatorIn(language)
  return supplyInWords({ decides, supply: { ...BATH, ...supply } }, t, formatsFor(language, t, 'C', []))
}

test('the room whose plan needs the water is named, in both languages', () => {
  expect(said({})).toEqual(['Bad decides: with colder water it would not stay in its comfort band.'])
  expect(said({}, 'de')).toEqual([
    'Bad gibt den Ausschlag: Mit kühlerem Wasser bliebe der Raum nicht in seinem Wohlfühlbereich.',
  ])
  expect(said({ room: null })).toEqual(['One room decides: with colder water it would not stay in its comfort band.'])
})

test('what the room costs the house is said where the others would do with colder water', () => {
  expect(said({ others: 30.5 })).toEqual([
    expect.stringContaining('Bad decides'),
    'For all other rooms water of 30.5° would do.',
  ])
})

test('a setpoint that no gateway passes on says so', () => {
  expect(said({ set: null, why: 'no_demand' })).toEqual([
    'No room needs heat, so the coldest water is enough.',
    expect.stringContaining('No gateway passes this on'),
  ])
})

test('where the source has a curve of its own, no room is made responsible', () => {
  expect(said({ set: null, wanted: null, why: 'undecided' }, 'en', 'source')).toEqual([
    expect.stringContaining('follows its own heating curve'),
  ])
})

test('the last day says how long the loops were open, and how warm the water was', () => {
  const day = { open_share: 0.51, mean: 34.46 }
  expect(said({ day }).at(-1)).toBe(
    'In the last 24 hours the loops were open for 51\u00a0% of the time, with water of 34.5° on average.',
  )
  expect(said({ day: { ...day, mean: null } }, 'de').at(-1)).toBe(
    'In den letzten 24 Stunden waren die Heizkreise 51\u00a0% der Zeit offen.',
  )
})
