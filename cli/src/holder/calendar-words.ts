import type { Calendar } from '@hypocaust/client'
import type { CalendarRule } from '@hypocaust/domain'
import { USUAL_CALENDAR_AWAY_C, WEEKDAYS } from '@hypocaust/domain/facts'
import { UsageFailure } from '../failure.ts'
import { localText } from './words.ts'

/** `Holiday: away 17`, `Home office: comfort 08:00-17:00`, `Guests: like saturday in Guest room, Bathroom`. */
const RULE = /^(?<title>.*): *(?<effect>away|comfort|like)(?: +(?<value>(?!in )\S+))?(?: +in +(?<rooms>.+))?$/i
const TIMES = /^(\d\d:\d\d)-(\d\d:\d\d)$/

/** A rule as a person types it; its rooms still by their names. */
interface TypedRule {
  rule: Omit<CalendarRule, 'room_ids'>
  rooms: string[] | null
}

export function ruleFrom(text: string): TypedRule {
  const { title, effect = '', value, rooms } = RULE.exec(text.trim())?.groups ?? {}
  const follows = title === undefined ? undefined : effectFrom(effect.toLowerCase(), value)
  if (title === undefined || follows === undefined)
    throw new UsageFailure(
      `“${text}” is not a rule; for example “Holiday: away 17”, “Home office: comfort 08:00-17:00” or “Guests: like saturday in Guest room”`,
    )
  return {
    rule: { title: title.trim(), ...follows },
    rooms: rooms === undefined ? null : rooms.split(',').map((name) => name.trim()),
  }
}

function effectFrom(effect: string, value: string | undefined): Omit<TypedRule['rule'], 'title'> | undefined {
  if (effect === 'away') {
    const target_temperature = value === undefined ? USUAL_CALENDAR_AWAY_C : Number(value.replace(',', '.'))
    return Number.isNaN(target_temperature) ? undefined : { effect: 'away', target_temperature }
  }
  if (effect === 'comfort') {
    if (value === undefined) return { effect: 'comfort' }
    const [, from, to] = TIMES.exec(value) ?? []
    return from === undefined || to === undefined ? undefined : { effect: 'comfort', from, to }
  }
  const follows = WEEKDAYS.find((day) => day === value?.toLowerCase())
  return follows && { effect: 'day', follows }
}

/** As it would be typed. */
function ruleText({ title, effect, room_ids, ...rule }: CalendarRule, nameOf: (roomId: string) => string): string {
  const words = {
    away: () => `away ${rule.target_temperature}`,
    comfort: () => (rule.from === undefined ? 'comfort' : `comfort ${rule.from}-${rule.to}`),
    day: () => `like ${rule.follows}`,
  }
  return `${title}: ${words[effect]()}${room_ids ? ` in ${room_ids.map(nameOf).join(', ')}` : ''}`
}

const MOST_EVENTS = 3

export function calendarText(calendar: Calendar, nameOf: (roomId: string) => string): string {
  const { name, host, rules, events, problem, checked_at } = calendar
  const read = checked_at === null ? 'not read yet' : `read ${localText(checked_at)}`
  const ahead = events.filter(({ rule }) => rule !== null).slice(0, MOST_EVENTS)
  return [
    `${name} (${host ?? 'file'}), ${read}`,
    ...(problem === null ? [] : [`  could not be read: ${problem.replaceAll('_', ' ')}`]),
    ...rules.map((rule) => `  ${ruleText(rule, nameOf)}`),
    ...ahead.map(({ title, starts_at, ends_at }) => `  ${localText(starts_at)} to ${localText(ends_at)}  ${title}`),
  ].join('\n')
}
