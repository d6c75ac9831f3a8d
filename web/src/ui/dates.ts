import { DAY_MS } from '@hypocaust/domain/facts'

/** Days of the calendar, such as 2026-11-20: without a time and a time zone. */
export const atMsOf = (date: string): number => Date.parse(`${date}T00:00Z`)

const dateAt = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10)

export const dayPlus = (date: string, days: number): string => dateAt(atMsOf(date) + days * DAY_MS)

/** The same day of another month, or the last one it has. */
export function monthPlus(date: string, months: number): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number)
  const lastDay = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return dateAt(Date.UTC(year, month - 1 + months, Math.min(day, lastDay)))
}

const DAYS_OF_WEEK = [0, 1, 2, 3, 4, 5, 6]

/** From a Monday to a Sunday. */
export function weekOf(date: string): string[] {
  const sinceMonday = (new Date(atMsOf(date)).getUTCDay() + 6) % 7
  return DAYS_OF_WEEK.map((day) => dayPlus(date, day - sinceMonday))
}

/** The weeks in which the month of a date has days. */
export function weeksOfMonth(date: string): string[][] {
  const weeks: string[][] = []
  const month = date.slice(0, 7)
  for (let day = `${month}-01`; weeks.length === 0 || day.startsWith(month); day = dayPlus(weeks.at(-1)?.[6] ?? day, 1))
    weeks.push(weekOf(day))
  return weeks
}
