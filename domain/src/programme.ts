import Type, { type Static } from 'typebox'
import { SETBACK_K } from './facts/limits.ts'
import { MOST_DATES, MOST_STEPS_A_DAY, WEEKDAYS, type Programme as WeekPlan } from './facts/programme.ts'
import { CLOCK_PATTERN, DATE_PATTERN } from './patterns.ts'
import { OneOf } from './schema.ts'

const closed = { additionalProperties: false }
const Clock = Type.String({ pattern: CLOCK_PATTERN, description: 'Local time as HH:MM.', examples: ['05:30'] })
const Setback = Type.Number({ ...SETBACK_K, description: 'Kelvin below the target.', examples: [2] })

/** Every night the same: the simple case of a programme. */
export const NightMode = Type.Object(
  {
    from: Clock,
    to: Clock,
    setback: Setback,
    weekend: Type.Optional(Type.Object({ from: Clock, to: Clock }, closed)),
  },
  closed,
)
export type NightMode = Static<typeof NightMode>

const Day = Type.Optional(
  Type.Array(Type.Object({ at: Clock, setback: Setback }, closed), {
    maxItems: MOST_STEPS_A_DAY,
    description: 'In the order of the day. The last step of the day before holds until the first.',
  }),
)

/** The week plan of a room. */
export const Programme = Type.Unsafe<WeekPlan>(
  Type.Object(
    {
      ...Object.fromEntries(WEEKDAYS.map((day) => [day, Day])),
      dates: Type.Optional(
        Type.Array(
          Type.Object(
            {
              date: Type.String({ pattern: DATE_PATTERN, description: 'YYYY-MM-DD.', examples: ['2026-12-24'] }),
              follows: OneOf(WEEKDAYS, 'The weekday whose plan counts on this date.', 'sunday'),
            },
            closed,
          ),
          { maxItems: MOST_DATES },
        ),
      ),
    },
    {
      ...closed,
      description:
        'The week plan of a room: steps for each weekday, and single dates that follow the plan of another weekday. The last step holds until the next one, also over days without steps.',
      examples: [
        {
          monday: [
            { at: '05:30', setback: 0 },
            { at: '22:30', setback: 3 },
          ],
          dates: [{ date: '2026-12-24', follows: 'sunday' }],
        },
      ],
    },
  ),
)
export type Programme = WeekPlan
