import { expect, test } from 'vitest'
import { localTimeOf, momentOf } from '../src/ui/local-time.ts'

const iso = (localTime: string, timeZone: string) => new Date(momentOf(localTime, timeZone)).toISOString()

test('a time typed into a form is meant by the clocks of the building', () => {
  expect(iso('2026-11-20T18:00', 'Europe/Oslo')).toBe('2026-11-20T17:00:00.000Z')
  expect(iso('2026-07-20T18:00', 'Europe/Oslo')).toBe('2026-07-20T16:00:00.000Z')
  expect(iso('2026-11-20T18:00', 'America/Los_Angeles')).toBe('2026-11-21T02:00:00.000Z')
  expect(iso('2026-11-20T18:00', 'Asia/Kathmandu')).toBe('2026-11-20T12:15:00.000Z')
})

test('an hour that comes twice in autumn is the first of the two, one that is skipped in spring lies beside it', () => {
  expect(iso('2026-10-25T02:30', 'Europe/Oslo')).toBe('2026-10-25T00:30:00.000Z')
  expect(iso('2026-03-29T02:30', 'Europe/Oslo')).toBe('2026-03-29T00:30:00.000Z')
})

test('what a form shows is shown again after it was read', () => {
  for (let atMs = Date.UTC(2026, 0, 1); atMs < Date.UTC(2027, 0, 1); atMs += 7 * 3_600_000) {
    for (const timeZone of ['Europe/Oslo', 'Australia/Lord_Howe', 'America/St_Johns', 'UTC']) {
      const shown = localTimeOf(atMs, timeZone)
      expect(localTimeOf(momentOf(shown, timeZone), timeZone)).toBe(shown)
    }
  }
})
