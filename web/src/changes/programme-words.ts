import type { NightMode } from '@hypocaust/domain'
import { type Programme, type ProgrammeDate, type ProgrammeStep, WEEKDAYS, type Weekday } from '@hypocaust/domain/facts'
import type { Wording } from '../i18n/formats.ts'
import { stepsOf } from '../schedule/week.ts'

/** As the change log has it. */
type Plan = { programme: Programme } | { night_mode: NightMode }

/** Every night, or day by day; of two week programmes only what differs from the other. */
export function planInWords(plan: Plan, words: Wording, other: Plan | null): string {
  if ('night_mode' in plan) return nightInWords(plan.night_mode, words)
  return weekInWords(plan.programme, words, other && 'programme' in other ? other.programme : undefined)
}

function nightInWords({ from, to, setback, weekend }: NightMode, { t, format }: Wording): string {
  const night = t('log.night', { from, to, kelvin: format.kelvin(setback) })
  return weekend ? t('log.night_weekend', { night, ...weekend }) : night
}

/** "Monday–Friday 05:30 comfort, 22:00 −2.0°; Saturday 07:00 comfort". */
function weekInWords(programme: Programme, words: Wording, other: Programme | undefined): string {
  const { t } = words
  const isSaid = (day: Weekday) =>
    other ? !isSame(stepsOf(programme, day), stepsOf(other, day)) : stepsOf(programme, day).length > 0
  const days = daysAlike(programme, isSaid).map(({ first, last, steps }) => {
    const name = first === last ? t(`weekday.${first}`) : `${t(`weekday.${first}`)}–${t(`weekday.${last}`)}`
    return `${name} ${stepsInWords(steps, words)}`
  })
  const dates = (programme.dates ?? []).filter((date) => !other?.dates?.some((same) => isSame(same, date)))
  return [...days, ...dates.map((date) => dateInWords(date, words))].join('; ') || t('log.nothing')
}

interface Days {
  first: Weekday
  last: Weekday
  steps: ProgrammeStep[]
}

/** Days in a row with the same steps are one. */
function daysAlike(programme: Programme, isSaid: (day: Weekday) => boolean): Days[] {
  const groups: Days[] = []
  for (const [i, day] of WEEKDAYS.entries()) {
    if (!isSaid(day)) continue
    const steps = stepsOf(programme, day)
    const before = groups.at(-1)
    if (before && before.last === WEEKDAYS[i - 1] && isSame(before.steps, steps)) before.last = day
    else groups.push({ first: day, last: day, steps })
  }
  return groups
}

function stepsInWords(steps: ProgrammeStep[], { t, format }: Wording): string {
  if (steps.length === 0) return t('log.no_steps')
  return steps
    .map(({ at, setback }) => `${at} ${setback === 0 ? t('log.at_comfort') : `−${format.kelvin(setback)}°`}`)
    .join(', ')
}

const dateInWords = ({ date, follows }: ProgrammeDate, { t, format }: Wording): string =>
  t('log.date_as', { date: format.date(Date.parse(date), 'UTC'), day: t(`weekday.${follows}`) })

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)
