import { expect, test } from 'vitest'
import { efficiencyInWords } from '../src/building/efficiency-words.ts'
import { formatsFor } from '../src/i18n/formats.ts'
import { translatorIn } from './translate.ts'

const t = translatorIn('en')
const words = { t, format: formatsFor('en', t, 'C', ['en-GB']) }
const assumed = { basis: 'assumed' as const, days: 0, value: 3.92 }

test('an efficiency is said to be what it is: entered, assumed or learned', () => {
  expect(efficiencyInWords(assumed, { kind: 'heat_pump', cop: 3.9 }, words)).toMatch(/^As entered: 3.9 kWh of heat/)
  expect(efficiencyInWords({ ...assumed, value: 0.9 }, { kind: 'boiler', efficiency: 0.9 }, words)).toMatch(
    /^As entered: 0.9 kWh/,
  )
  expect(efficiencyInWords(assumed, { kind: 'heat_pump' }, words)).toMatch(/^Assumed: 3.92 kWh of heat/)
  expect(efficiencyInWords({ basis: 'learned', days: 9, value: 3.4 }, { kind: 'heat_pump', cop: 3.9 }, words)).toMatch(
    /^Learned from 9 days: 3.4 kWh of heat/,
  )
})
