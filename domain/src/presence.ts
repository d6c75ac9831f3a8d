import Type, { type Static } from 'typebox'
import { MAX_TARGET_C, MIN_TARGET_C, MOST_PEOPLE, PRESENCE_RULE } from './facts/limits.ts'
import { Name } from './names.ts'
import { Nullable, Timestamp } from './schema.ts'

const closed = { additionalProperties: false }
const PersonName = Name('A person, or a device that stands for one.', 'Anna')

const RULE_EXAMPLE = PRESENCE_RULE.usual

export const PresenceRule = Type.Object(
  {
    after_minutes: Type.Integer({
      ...PRESENCE_RULE.afterMinutes,
      description: 'For so long nobody has to be home before rooms may cool.',
      examples: [30],
    }),
    target_temperature: Type.Number({
      minimum: MIN_TARGET_C,
      maximum: MAX_TARGET_C,
      description: 'Celsius: the setpoint until somebody comes, unless the room could not be warm again in time.',
      examples: [17],
    }),
    warm_again_hours: Type.Number({
      ...PRESENCE_RULE.warmAgainHours,
      description: 'A room cools only as far as it can be warmed again within so many hours.',
      examples: [3],
    }),
  },
  { ...closed, description: 'What follows when nobody is home.', examples: [RULE_EXAMPLE] },
)
export type PresenceRule = Static<typeof PresenceRule>

export const Presence = Type.Object(
  {
    people: Type.Array(
      Type.Object({
        name: PersonName,
        home: Nullable(
          Type.Boolean({ description: 'Null when it has not been reported for a day; it then counts as home.' }),
        ),
        changed_at: Timestamp('Since when that has been so, as far as reported.', '2026-01-10T07:40:00.000Z'),
        reported_at: Timestamp('The latest report.'),
      }),
    ),
    rule: Nullable(PresenceRule),
  },
  {
    description: 'Who is home now, as last reported. What was before is not stored.',
    examples: [
      {
        people: [
          {
            name: 'Anna',
            home: false,
            changed_at: '2026-01-10T07:40:00.000Z',
            reported_at: '2026-01-10T08:15:03.000Z',
          },
        ],
        rule: RULE_EXAMPLE,
      },
    ],
  },
)
export type Presence = Static<typeof Presence>

export const PresencePut = Type.Object(
  {
    people: Type.Array(
      Type.Object(
        {
          name: PersonName,
          home: Nullable(Type.Boolean({ description: 'Null forgets the person.', examples: [true] })),
        },
        closed,
      ),
      { minItems: 1, maxItems: MOST_PEOPLE },
    ),
  },
  {
    ...closed,
    description: 'Who is home and who is not. People who are not named stay as they are.',
    examples: [{ people: [{ name: 'Anna', home: false }] }],
  },
)
export type PresencePut = Static<typeof PresencePut>
