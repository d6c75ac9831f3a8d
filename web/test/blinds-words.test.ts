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
const said = (at: string, sides: BlindsAdvice['sides'] = ['south'], advice: BlindsAdvice | null = ADVICE) =>
  blindsInWords({ blinds: { sides, above: 25 } }, advice, { t, format, now: Date.parse(at), timeZone: 'Europe/Oslo' })

test('advice names the moment to close the blinds, then the one until which they stay closed, then nothing', () => {
  expect(said('2026-06-20T05:00:00Z')).toEqual({
    whole: 'Close the blinds at 10:30: the room becomes 24.9° instead of 27.4°.',
    short: 'close the blinds at 10:30',
  })
  expect(said('2026-06-20T09:00:00Z')?.short).toBe('blinds closed until 17:00')
  expect(said('2026-06-20T15:00:00Z')).toBeUndefined()
  expect(said('2026-06-20T05:00:00Z', ['south'], null)).toBeUndefined()
})

test('where only some of the blinds are to be closed, they are named', () => {
  expect(said('2026-06-20T05:00:00Z', ['south', 'west'])?.whole).toMatch(/\(South\)$/)
})
