import { LocalDate, OneOf } from '@hypocaust/domain'
import Type, { type Static } from 'typebox'
import { errors } from '../../base/errors.ts'
import { type DaySpan, dayOf, thisMonth } from '../../house/heat/energy.ts'
import { yearAfter } from '../../house/moments.ts'

const LONGEST_DAYS_OF_HOURS = 31

export const EnergyQuery = Type.Object(
  {
    from: Type.Optional(
      LocalDate('First day, as 2026-01-01; the first of the month of `to` unless given.', '2026-01-01'),
    ),
    to: Type.Optional(LocalDate('Last day, at most a year later; today unless given.', '2026-01-31')),
    step: Type.Optional(OneOf(['day', 'hour'], 'With `hour`, each day has its hours, too; at most 31 days.', 'day')),
  },
  { additionalProperties: false },
)
export type EnergyQuery = Static<typeof EnergyQuery>

export function daySpanOf(query: EnergyQuery, timezone: string, nowMs: number): DaySpan {
  const month = thisMonth(timezone, nowMs)
  const to = calendarDay('to', query.to) ?? month.to
  const from = calendarDay('from', query.from) ?? `${to.slice(0, 7)}-01`
  if (to < from) throw errors.invalidValue('to must not be before from.')
  if (Date.parse(to) > yearAfter(Date.parse(from))) throw errors.invalidValue('to must be within a year of from.')
  if (query.step === 'hour' && dayOf(to) - dayOf(from) >= LONGEST_DAYS_OF_HOURS)
    throw errors.invalidValue(`step: hours are given for at most ${LONGEST_DAYS_OF_HOURS} days.`)
  return { from, to, withHours: query.step === 'hour' }
}

/** The pattern allows a thirtieth of February. */
export function calendarDay(name: string, date: string | undefined): string | undefined {
  if (date === undefined) return undefined
  const ms = Date.parse(date)
  if (Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== date)
    throw errors.invalidValue(`${name} must be a day of the calendar, as 2026-01-31.`)
  return date
}
