/** What may follow from an event. */
export const CALENDAR_EFFECTS = ['away', 'comfort', 'day'] as const
export type CalendarEffect = (typeof CALENDAR_EFFECTS)[number]

/** Why a calendar was not read. */
export const CALENDAR_PROBLEMS = [
  'address_not_allowed',
  'unreachable',
  'timeout',
  'not_found',
  'not_permitted',
  'refused',
  'too_many_redirects',
  'too_large',
  'not_a_calendar',
  'too_slow',
] as const
export type CalendarProblem = (typeof CALENDAR_PROBLEMS)[number]

export const MOST_CALENDARS = 8
export const MOST_CALENDAR_RULES = 20
/** Of a file that is uploaded, in characters. */
export const MOST_CALENDAR_TEXT = 1_000_000
export const USUAL_CALENDAR_AWAY_C = 17
