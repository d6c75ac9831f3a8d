import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dayPlus, monthPlus, weekOf, weeksOfMonth } from '../src/ui/dates.ts'

const days = fc.integer({ min: 0, max: 40_000 }).map((n) => dayPlus('1990-01-01', n))

test('a month is shown in whole weeks from Monday, each day once', () => {
  fc.assert(
    fc.property(days, (date) => {
      const shown = weeksOfMonth(date).flat()
      expect(shown.length % 7).toBe(0)
      expect(shown.slice(1)).toEqual(shown.slice(0, -1).map((day) => dayPlus(day, 1)))
      expect(new Date(shown[0] ?? '').getUTCDay()).toBe(1)
      const month = shown.filter((day) => day.startsWith(date.slice(0, 7)))
      expect(month).toContain(date)
      expect(month[0]).toMatch(/-01$/)
      expect(dayPlus(month.at(-1) ?? '', 1)).toMatch(/-01$/)
      expect(weeksOfMonth(date).length).toBeLessThanOrEqual(6)
    }),
  )
})

test('a day moves to the same day of another month, or to its last one', () => {
  expect(monthPlus('2028-01-31', 1)).toBe('2028-02-29')
  expect(monthPlus('2027-03-31', -1)).toBe('2027-02-28')
  expect(monthPlus('2026-12-15', 1)).toBe('2027-01-15')
  fc.assert(
    fc.property(days, fc.integer({ min: -30, max: 30 }), (date, months) => {
      const moved = monthPlus(date, months)
      const count = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7))
      expect(count(moved) - count(date)).toBe(months)
      expect(Number(moved.slice(8))).toBeLessThanOrEqual(Number(date.slice(8)))
    }),
  )
})

test('a week has the days from Monday to Sunday around a day', () => {
  expect(weekOf('2026-11-18')).toEqual([
    '2026-11-16',
    '2026-11-17',
    '2026-11-18',
    '2026-11-19',
    '2026-11-20',
    '2026-11-21',
    '2026-11-22',
  ])
})
