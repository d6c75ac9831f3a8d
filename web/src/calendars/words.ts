import type { AppRoom, CalendarEvent, CalendarRule } from '@hypocaust/domain'
import type { Wording } from '../i18n/formats.ts'
import { atMsOf, dayPlus } from '../ui/dates.ts'

/** A rule as a sentence: "Events with “Holiday”: at most 17° (whole house)". */
export function ruleInWords(rule: CalendarRule, rooms: AppRoom[], words: Wording): string {
  const { t, format } = words
  const events =
    rule.title.trim() === '' ? t('calendars.all_events') : t('calendars.events_with', { title: rule.title })
  const named = rooms.filter(({ id }) => rule.room_ids?.includes(id)).map(({ name }) => name)
  const where = rule.room_ids === null ? t('calendars.whole_house') : format.list(named)
  return t('calendars.sentence', { events, effect: effectInWords(rule, words), rooms: where })
}

export function effectInWords(rule: CalendarRule, { t, format }: Wording): string {
  switch (rule.effect) {
    case 'away':
      return t('calendars.does_away', { degrees: format.degrees(rule.target_temperature ?? 0) })
    case 'comfort':
      return rule.from === undefined || rule.to === undefined
        ? t('calendars.does_comfort')
        : t('calendars.does_comfort_between', { from: rule.from, to: rule.to })
    case 'day':
      return t('calendars.does_day', { weekday: t(`weekday.${rule.follows ?? 'sunday'}`) })
  }
}

/** When an event is, by the clock of its building; of whole days the dates alone. */
export function timeInWords({ starts_at, ends_at, all_day }: CalendarEvent, timeZone: string, { t, format }: Wording) {
  const [fromMs, untilMs] = [Date.parse(starts_at), Date.parse(ends_at)]
  if (!all_day)
    return t('calendars.from_to', { from: format.moment(fromMs, timeZone), to: format.moment(untilMs, timeZone) })
  const date = (ms: number) => new Intl.DateTimeFormat('sv', { timeZone }).format(ms)
  const [first, last] = [date(fromMs), dayPlus(date(untilMs), -1)]
  const shown = (day: string) => format.longDate(atMsOf(day))
  return first === last ? shown(first) : t('calendars.from_to', { from: shown(first), to: shown(last) })
}
