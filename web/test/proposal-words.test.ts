import type { AppProposal, WhatIfAnswer } from '@hypocaust/domain'
import { WEEKDAYS } from '@hypocaust/domain/facts'
import { expect, test } from 'vitest'
import { formatsFor } from '../src/i18n/formats.ts'
import { costInWords, proposalInWords } from '../src/room/proposal-words.ts'
import { translatorIn } from './translate.ts'

const words = (language: 'en' | 'de') => {
  const t = translatorIn(language)
  return [t, formatsFor(language, t)] as const
}
const proposal: AppProposal = {
  feeling: 'too_cold',
  days: 3,
  window: { weekdays: [...WEEKDAYS.slice(0, 5)], from: '21:00', to: '00:00' },
  setpoint: 21,
  proposed_setpoint: 21.5,
  change: { target_temperature: 21.5 },
}
const figures = { heat_kwh: 100, cost: 10, below_kh: 0, late: 0, rises: 0 }
const span = {
  days: 7,
  now: figures,
  changed: { ...figures, cost: 10.5 },
  heat_percent: { value: 3.1, plus_minus: 0.8 },
}
const answer: WhatIfAnswer = { currency: 'EUR', ahead: span, past: null, warm_by: [] }

test('a proposal says why, when and how warm', () => {
  expect(proposalInWords(proposal, ...words('en'))).toEqual([
    'On 3 days it was too cold here.',
    'Mon–Fri, 21:00–24:00: 21.5° instead of 21.0°',
  ])
  expect(proposalInWords({ ...proposal, feeling: 'too_warm', window: null }, ...words('de'))).toEqual([
    'An 3 Tagen war es hier zu warm.',
    'Wunschtemperatur 21,5° statt 21,0°, die ganze Woche',
  ])
})

test('its cost is heat and money, as far as they are known', () => {
  expect(costInWords(answer, ...words('en'))).toBe(
    'Coming week: 3.1\u00a0% more heat (±\u00a00.8\u00a0%). Cost €10.50 instead of €10.00.',
  )
  const unpriced = { ...span, now: { ...figures, cost: null } }
  expect(costInWords({ ...answer, ahead: null, past: unpriced }, ...words('en'))).toBe(
    'Last 7 days: 3.1\u00a0% more heat (±\u00a00.8\u00a0%).',
  )
  expect(costInWords({ ...answer, ahead: null }, ...words('en'))).toBe(
    'What it costs is known after a few days of readings.',
  )
})
