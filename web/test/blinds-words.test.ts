import type { BlindsAdvice } from '@hypocaust/domain'
import { expect, test } from 'vitest'
import { formatsFor } from '../src/i18n/formats.ts'
import { blindsInWords } from '../src/room/blinds-words.ts'
import { translatorIn } from './translate.ts'

const t = translatorIn('en')
const format = formatsFor('en', t, 'C', ['en-GB'])
const ADVICE: BlindsAdvice = {
  sides: ['south'],
  close_at: '2026-06-20T08:30:00.000Z',
  open_at: '2026-06-20T15:00:00.000Z',
  expected: 27.4,
  expected_closed: 24.9,
}
const said = (
  at: string,
  sides: BlindsAdvice['sides'] = ['south'],
  advice: BlindsAdvice | null = ADVICE,
  covers: string[] = [],
) =>
  blindsInWords({ blinds: { sides, above: 25, covers } }, advice, {
    t,
    format,
    now: Date.parse(at),
    timeZone: 'Europe/Oslo',
  })

test('advice names the moment to close the blinds, then the one until which they stay closed, then nothing', () => {
  expect(said('2026-06-20T05:00:00Z')).toEqual({
    whole: 'Close the blinds by 10:30: the room then reaches 24.9° instead of 27.4°.',
    short: 'close the blinds by 10:30',
  })
  expect(said('2026-06-20T09:00:00Z')?.short).toBe('keep the blinds closed until 17:00')
  expect(said('2026-06-20T15:00:00Z')).toBeUndefined()
  expect(said('2026-06-20T05:00:00Z', ['south'], null)).toBeUndefined()
})

test('where only some of the blinds are to be closed, they are named', () => {
  expect(said('2026-06-20T05:00:00Z', ['south', 'west'])?.whole).toMatch(/^Close the blinds \(South\) by 10:30:/)
})

test('of blinds that the gateway moves it says what it does, and nobody is told to close them', () => {
  const moved = (at: string) => said(at, ['south'], ADVICE, ['living-south'])
  expect(moved('2026-06-20T05:00:00Z')).toEqual({
    whole: 'The gateway closes the blinds at about 10:30: the room then reaches 24.9° instead of 27.4°.',
    short: 'blinds close at about 10:30',
  })
  expect(moved('2026-06-20T09:00:00Z')).toEqual({
    whole: 'The gateway keeps the blinds closed until 17:00: the room then reaches 24.9° instead of 27.4°.',
    short: 'blinds closed until 17:00',
  })
})
