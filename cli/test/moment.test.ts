import { expect, test } from 'vitest'
import { momentFrom } from '../src/holder/moment.ts'

const NOW = new Date(2026, 0, 10, 20, 0).getTime()
const local = (...parts: [number, number, number, number?, number?]) => new Date(...parts).toISOString()

test.each([
  ['23:00', local(2026, 0, 10, 23, 0)],
  ['6:30', local(2026, 0, 11, 6, 30)],
  ['20:00', local(2026, 0, 11, 20, 0)],
  ['2026-12-24T18:00', local(2026, 11, 24, 18, 0)],
  ['2026-12-24 18:00', local(2026, 11, 24, 18, 0)],
  ['2026-12-24', local(2026, 11, 24, 0, 0)],
  ['2026-12-24T18:00:00Z', '2026-12-24T18:00:00.000Z'],
  ['2h', new Date(NOW + 2 * 3_600_000).toISOString()],
  ['1,5h', new Date(NOW + 1.5 * 3_600_000).toISOString()],
  ['90min', new Date(NOW + 90 * 60_000).toISOString()],
  ['3d', new Date(NOW + 72 * 3_600_000).toISOString()],
])('%s is %s', (text, expected) => {
  expect(momentFrom(text, NOW)).toBe(expected)
})

test.each(['', '25:00', '12:60', 'soon', '2026-13-01T10:00', '2h30'])('“%s” is no time', (text) => {
  expect(() => momentFrom(text, NOW)).toThrow(/is not a time/)
})
