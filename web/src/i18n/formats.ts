import { DAY_S, HOUR_S } from '@hypocaust/domain/facts'
import { isLocale } from './browser-language.ts'
import type { Language } from './languages.ts'
import type { Translate } from './translator.ts'
import { differenceIn, temperatureIn, type Unit } from './units.ts'

export type Formats = ReturnType<typeof formatsFor>

/** What sentences with figures are made of. */
export interface Wording {
  t: Translate
  format: Formats
}

/** And those about the near past and future. */
export interface WordingNow extends Wording {
  now: number
  /** Of the building. */
  timeZone: string
}

/** Whose clocks show a time: those of a building, or of the browser. No format leaves it open. */
export type Zone = string | typeof BROWSER_ZONE
export const BROWSER_ZONE = undefined

const MINUTE_S = 60

/** The browser's variant of the chosen language; some systems name languages that are none, such as "C". */
export function localeFor(language: Language, tags: readonly string[]): string {
  return tags.find((tag) => tag.slice(0, 2) === language && isLocale(tag)) ?? language
}

/** From noon to the next morning. */
const COMING_NIGHT_S = 18 * HOUR_S

/** Words, numbers and dates follow the chosen language, temperatures the chosen unit. */
export function formatsFor(language: Language, t: Translate, unit: Unit = 'C', tags = navigator.languages ?? []) {
  const regional = localeFor(language, tags)
  const oneDecimal = new Intl.NumberFormat(regional, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
  const whole = new Intl.NumberFormat(regional, { maximumFractionDigits: 0 })
  const short = new Intl.NumberFormat(regional, { maximumFractionDigits: 2, useGrouping: false })
  const cents = new Intl.NumberFormat(regional, { minimumFractionDigits: 2, maximumFractionDigits: 2 })
  const exact = new Intl.NumberFormat(regional, { maximumFractionDigits: 6, useGrouping: false })
  const names = new Intl.ListFormat(regional)
  const withMinus = (text: string) => text.replace(/^-/, '−')
  const dates = new Map<string, Intl.DateTimeFormat>()
  const date = (options: Intl.DateTimeFormatOptions, timeZone: Zone) => {
    const key = JSON.stringify([options, timeZone])
    const kept = dates.get(key) ?? new Intl.DateTimeFormat(regional, { ...options, ...(timeZone && { timeZone }) })
    dates.set(key, kept)
    return kept
  }
  const time: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }

  return {
    unit,
    /** With the letter, for labels. */
    unitName: `°${unit}`,
    degrees: (celsius: number) => withMinus(oneDecimal.format(temperatureIn(unit).shown(celsius))),
    /** Where a glance is enough. */
    wholeDegrees: (celsius: number) => withMinus(whole.format(Math.round(temperatureIn(unit).shown(celsius)))),
    list: (each: string[]) => names.format(each),
    /** A difference between two temperatures. */
    kelvin: (kelvin: number) => withMinus(oneDecimal.format(differenceIn(unit).shown(kelvin))),
    /** As it is typed into a field. */
    input: (value: number) => withMinus(short.format(value)),
    /** A price, as it is typed into a field. */
    amount: (value: number) => exact.format(value),
    /** What something cost. */
    money: (value: number, currency?: string | null) =>
      withMinus(
        currency ? new Intl.NumberFormat(regional, { style: 'currency', currency }).format(value) : cents.format(value),
      ),
    /** kWh: small ones with a decimal, so that little heat is not none. */
    energy: (kwh: number) => withMinus((Math.abs(kwh) < 10 ? oneDecimal : whole).format(kwh)),
    whole: (value: number) => withMinus(whole.format(value)),
    decimal: (value: number) => withMinus(oneDecimal.format(value)),
    percent: (share: number) => t('unit.percent', { n: whole.format(share * 100) }),
    clock: (at: number, timeZone: Zone) => date(time, timeZone).format(at),
    day: (at: number, timeZone: Zone) => date({ day: 'numeric', month: 'short' }, timeZone).format(at),
    weekday: (at: number, timeZone: Zone) => date({ weekday: 'short', day: 'numeric' }, timeZone).format(at),
    /** Of a day of the calendar, which has no time zone. */
    dayOfWeek: (at: number) => date({ weekday: 'short' }, 'UTC').format(at),
    monthYear: (at: number) => date({ month: 'long', year: 'numeric' }, 'UTC').format(at),
    longDate: (at: number) =>
      date({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' }, 'UTC').format(at),
    fullDate: (at: number) =>
      date({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }, 'UTC').format(at),
    month: (at: number, timeZone: Zone) => date({ month: 'short' }, timeZone).format(at),
    date: (at: number, timeZone: Zone) =>
      date({ day: 'numeric', month: 'short', year: 'numeric' }, timeZone).format(at),
    moment: (at: number, timeZone: Zone) =>
      date({ weekday: 'short', day: 'numeric', month: 'short', ...time }, timeZone).format(at),
    /** The time of day when it was today, the day as well when it was not. */
    since: (at: number, now: number, timeZone: Zone) => {
      const dayOf = (moment: number) => date({ day: 'numeric', month: 'numeric' }, timeZone).format(moment)
      const isToday = dayOf(at) === dayOf(now)
      return isToday
        ? date(time, timeZone).format(at)
        : date({ day: 'numeric', month: 'short', ...time }, timeZone).format(at)
    },
    /** A moment ahead: the time of day today and in the coming night, with the weekday within a week, else with the date. */
    until: (at: number, now: number, timeZone: Zone) => {
      const dayOf = (moment: number) => date({ day: 'numeric', month: 'numeric' }, timeZone).format(moment)
      const isSoon = at > now && at - now < COMING_NIGHT_S * 1000
      if (isSoon || dayOf(at) === dayOf(now)) return date(time, timeZone).format(at)
      const isThisWeek = Math.abs(at - now) < 6 * DAY_S * 1000
      const day: Intl.DateTimeFormatOptions = isThisWeek ? { weekday: 'short' } : { day: 'numeric', month: 'short' }
      return date({ ...day, ...time }, timeZone).format(at)
    },
    duration: (seconds: number) => {
      if (seconds < HOUR_S) return t('unit.minutes', { n: Math.max(1, Math.round(seconds / MINUTE_S)) })
      if (seconds < 2 * DAY_S) {
        const minutes = Math.round(seconds / MINUTE_S)
        if (minutes % 60 === 0) return t('unit.hours_short', { n: minutes / 60 })
        return t('unit.hours', { h: Math.floor(minutes / 60), m: String(minutes % 60).padStart(2, '0') })
      }
      return t('unit.days', { n: Math.round(seconds / DAY_S) })
    },
  }
}
