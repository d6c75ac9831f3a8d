import Type from 'typebox'
import { MOST_FLOOR_TIMES, TARGETS_OF } from './facts/floor-times.ts'
import { MINIMUM_FLOOR_C } from './facts/limits.ts'
import { WEEKDAYS } from './facts/programme.ts'
import { CLOCK_PATTERN } from './patterns.ts'
import { Nullable, OneOf, Timestamp } from './schema.ts'

const closed = { additionalProperties: false }
const Clock = (description: string, example: string) =>
  Type.String({ pattern: CLOCK_PATTERN, description, examples: [example] })

/** When the floor of a room is warm underfoot, whatever its air needs. */
export const FloorTimes = Type.Array(
  Type.Object(
    {
      temperature: Type.Number({ ...MINIMUM_FLOOR_C, description: 'Celsius at the surface.', examples: [24] }),
      from: Clock('Local time as HH:MM; the floor is warm by then.', '06:00'),
      to: Clock('Local time as HH:MM; one that is not later than `from` is of the next day.', '08:00'),
      days: Type.Optional(
        Type.Array(OneOf(WEEKDAYS, 'On which it begins.', 'monday'), {
          minItems: 1,
          maxItems: WEEKDAYS.length,
          uniqueItems: true,
          description: 'On which days it begins; every day unless given.',
        }),
      ),
    },
    closed,
  ),
  {
    minItems: 1,
    maxItems: MOST_FLOOR_TIMES,
    description:
      'When the floor has at least this temperature. Where several overlap, the highest counts; the highest temperature allowed for the floor always does.',
    examples: [[{ temperature: 24, from: '06:00', to: '08:00' }]],
  },
)

export const TargetOfField = OneOf(
  TARGETS_OF,
  'What the target and all other setpoints of the room are the temperature of.',
  'air',
)

export const FloorError = Nullable(
  Type.Number({
    description:
      'Kelvin: how far an estimated floor may be from that, two times out of three. Null where a probe measures, or where neither the target nor a minimum is one of the floor.',
    examples: [1.2],
  }),
)

export const WarmFloor = Nullable(
  Type.Object(
    {
      temperature: Type.Number({ description: 'Celsius at the surface.', examples: [24] }),
      from: Timestamp('From when the floor has it.', '2026-01-11T05:00:00.000Z'),
      until: Timestamp('Until when.', '2026-01-11T07:00:00.000Z'),
    },
    {
      description:
        'The minimum of the floor, now or to come, for which it is heated more than the room would need. Null where there is none.',
    },
  ),
)
