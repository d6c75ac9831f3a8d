import Type, { type Static } from 'typebox'
import {
  CALENDAR_EFFECTS,
  CALENDAR_PROBLEMS,
  type CalendarProblem,
  MOST_CALENDAR_RULES,
  MOST_CALENDAR_TEXT,
} from './facts/calendars.ts'
import { AWAY_C } from './facts/limits.ts'
import { WEEKDAYS } from './facts/programme.ts'
import { Name } from './names.ts'
import { CLOCK_PATTERN } from './patterns.ts'
import { Nullable, OneOf, Timestamp, Uuid } from './schema.ts'

const closed = { additionalProperties: false }
const CalendarName = Name('', 'Family')
const Clock = (description: string, example: string) =>
  Type.String({ pattern: CLOCK_PATTERN, description, examples: [example] })

const AWAY_RULE = { title: 'Holiday', room_ids: null, effect: 'away', target_temperature: 17 } as const
const OFFICE_RULE = { title: 'Home office', room_ids: null, effect: 'comfort', from: '08:00', to: '17:00' } as const

export const CalendarRule = Type.Object(
  {
    title: Type.String({
      maxLength: 100,
      description: 'The rule applies to events whose title contains this, in any case. Empty: to every event.',
      examples: ['Holiday'],
    }),
    room_ids: Nullable(
      Type.Array(Uuid('A room.', '019bb0f4-6e01-7d21-8a44-5b0c9e1f2a3b'), {
        minItems: 1,
        maxItems: 200,
        description: 'Null: the whole house.',
      }),
    ),
    effect: OneOf(
      CALENDAR_EFFECTS,
      '`away`: at most `target_temperature` during the event. `comfort`: the target of each room during the event, or from `from` to `to` on its days. `day`: the days of the event follow the programme of the weekday `follows`.',
      'away',
    ),
    target_temperature: Type.Optional(Type.Number({ ...AWAY_C, description: 'Celsius; with `away` only.' })),
    from: Type.Optional(Clock('Local time; with `comfort` only, and only together with `to`.', '08:00')),
    to: Type.Optional(Clock('Local time, later than `from`.', '17:00')),
    follows: Type.Optional(OneOf(WEEKDAYS, 'With `day` only.', 'saturday')),
  },
  { ...closed, description: 'What follows from some events of a calendar.', examples: [AWAY_RULE] },
)
export type CalendarRule = Static<typeof CalendarRule>

const Rules = Type.Array(CalendarRule, {
  maxItems: MOST_CALENDAR_RULES,
  description: 'Where several apply to a room at the same time, the first counts.',
})

export const CalendarAddress = Type.String({
  minLength: 8,
  maxLength: 2048,
  pattern: '^(?:https?|webcals?)://',
  description:
    'Where the calendar is published, in the iCalendar format. It is treated as a secret and never shown again.',
  examples: ['https://calendar.example.org/private-4f1c/basic.ics'],
})

export const CalendarPut = Type.Object(
  {
    name: CalendarName,
    address: Type.Optional(CalendarAddress),
    content: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MOST_CALENDAR_TEXT,
        description: 'An iCalendar file, instead of an address.',
        examples: ['BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n'],
      }),
    ),
    rules: Rules,
  },
  {
    ...closed,
    description: 'A calendar and what follows from its events. A new one has an `address` or `content`.',
    examples: [
      {
        name: 'Family',
        address: 'https://calendar.example.org/private-4f1c/basic.ics',
        rules: [AWAY_RULE, OFFICE_RULE],
      },
    ],
  },
)
export type CalendarPut = Static<typeof CalendarPut>

const EVENT = {
  title: 'Holiday in Norway',
  starts_at: '2026-12-24T23:00:00.000Z',
  ends_at: '2027-01-06T23:00:00.000Z',
  all_day: true,
  rule: 0,
}
const CALENDAR = {
  id: '019bb0f4-6e0a-7c51-9d0e-7a8b9c0d1e2f',
  name: 'Family',
  source: 'address',
  host: 'calendar.example.org',
  rules: [AWAY_RULE],
  checked_at: '2026-01-10T08:15:03.000Z',
  problem: null,
  unreadable: 0,
  events: [EVENT],
}

export const CalendarEvent = Type.Object({
  title: Type.String({ examples: ['Holiday in Norway'] }),
  starts_at: Timestamp('When it begins.', '2026-12-24T23:00:00.000Z'),
  ends_at: Timestamp('When it ends.', '2027-01-06T23:00:00.000Z'),
  all_day: Type.Boolean({ description: 'Whether it has days instead of times.' }),
  rule: Nullable(
    Type.Integer({ description: 'The first rule that applies to it, counted from 0; null: none.', examples: [0] }),
  ),
})
export type CalendarEvent = Static<typeof CalendarEvent>

export const Calendar = Type.Object(
  {
    id: Uuid('', '019bb0f4-6e0a-7c51-9d0e-7a8b9c0d1e2f'),
    name: CalendarName,
    source: OneOf(['address', 'file'], 'Where it comes from.', 'address'),
    host: Nullable(
      Type.String({ description: 'Of the address; the rest is a secret.', examples: ['calendar.example.org'] }),
    ),
    rules: Rules,
    checked_at: Nullable(Timestamp('The last attempt to read it; null before the first.')),
    problem: Type.Unsafe<CalendarProblem | null>({
      type: ['string', 'null'],
      enum: [...CALENDAR_PROBLEMS, null],
      description: 'Why the last attempt failed. What was read before goes on counting. Null: it did not fail.',
      examples: [null],
    }),
    unreadable: Type.Integer({ description: 'How many of its events could not be read.', examples: [0] }),
    events: Type.Array(CalendarEvent, {
      description: 'Of the next sixty days, at most a hundred.',
      examples: [[EVENT]],
    }),
  },
  {
    description: 'A calendar of a building, what follows from its events, and the next of them.',
    examples: [CALENDAR],
  },
)
export type Calendar = Static<typeof Calendar>

export const Calendars = Type.Object(
  { calendars: Type.Array(Calendar) },
  {
    description: 'The calendars of a building. Where several apply, the first counts.',
    examples: [{ calendars: [CALENDAR] }],
  },
)
export type Calendars = Static<typeof Calendars>

export const ProgrammeCalendar = Type.Object(
  {
    content: Type.String({
      description: 'In the iCalendar format.',
      examples: ['BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n'],
    }),
  },
  { description: 'What a room is planned to be for four weeks.' },
)
export type ProgrammeCalendar = Static<typeof ProgrammeCalendar>

/** What the form of a rule does not show: that it has what its effect needs, and nothing else. */
export function calendarRuleProblem(rule: CalendarRule): string | undefined {
  const { title, effect, target_temperature, from, to, follows } = rule
  // Terminals would follow them. Those in titles of events are spaces.
  if (/\p{Cc}/u.test(title)) return 'title must not contain control characters.'
  if ((target_temperature !== undefined) !== (effect === 'away'))
    return 'target_temperature is needed with the effect away, and is allowed with no other.'
  if ((follows !== undefined) !== (effect === 'day'))
    return 'follows is needed with the effect day, and is allowed with no other.'
  if ((from !== undefined || to !== undefined) && effect !== 'comfort')
    return 'from and to are allowed with the effect comfort only.'
  if ((from === undefined) !== (to === undefined)) return 'from and to are allowed only together.'
  if (from !== undefined && to !== undefined && from >= to) return 'to must be later than from.'
  return undefined
}
