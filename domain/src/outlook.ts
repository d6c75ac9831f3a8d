import Type, { type Static } from 'typebox'
import { BlindsAdvice } from './blinds.ts'
import { ACTIVITIES, DOINGS } from './facts/doing.ts'
import { AWAY_C, MAX_TARGET_C, MIN_TARGET_C } from './facts/limits.ts'
import { FloorError, TargetOfField, WarmFloor } from './floor-times.ts'
import { MOMENT_PATTERN } from './patterns.ts'
import { SETPOINT_REASONS } from './schedule/types.ts'
import { Nullable, OneOf, Renamed, Timestamp } from './schema.ts'

const closed = { additionalProperties: false }

/** A time that is sent. What comes back always has milliseconds. */
export const Moment = (description: string, example: string) =>
  Type.String({ format: 'date-time', pattern: MOMENT_PATTERN, description, examples: [example] })

const UNTIL = 'When it ends by itself, at most a year ahead.'
const EXAMPLE = {
  from: '2026-01-12T08:00:00.000Z',
  until: '2026-01-15T16:00:00.000Z',
  evening: '2026-01-10T22:00:00.000Z',
}

const overrideTarget = Type.Number({
  minimum: MIN_TARGET_C,
  maximum: MAX_TARGET_C,
  description: 'Celsius, instead of the target.',
  examples: [22],
})
const overrideOff = OneOf(['off'], 'The room is off meanwhile.')
const overrideExamples = [
  { target_temperature: 22, until: EXAMPLE.evening },
  { hvac_mode: 'off', until: EXAMPLE.evening },
]

/** So long an override may last where its end is counted from now. */
export const OverrideHours = Type.Number({
  minimum: 0.02,
  maximum: 8784,
  description: 'Hours from now, by the clock of the service; instead of `until`. At most a year.',
  examples: [1.5],
})

/** What is sent to override a room: one of the first two, and one of the last two. */
export const OverridePut = Type.Object(
  {
    target_temperature: Type.Optional(overrideTarget),
    hvac_mode: Type.Optional(overrideOff),
    until: Type.Optional(Moment(UNTIL, EXAMPLE.evening)),
    hours: Type.Optional(OverrideHours),
  },
  {
    ...closed,
    description: 'Another target, or off, until a time or for hours.',
    examples: [...overrideExamples, { target_temperature: 22, hours: 1.5 }],
  },
)
export type OverridePut = Static<typeof OverridePut>

/** Of each pair exactly one is given. The schema does not say so itself: a validator has no good words for it. */
export const OVERRIDE_CHOICES = [
  ['target_temperature', 'hvac_mode'],
  ['until', 'hours'],
] as const satisfies [keyof OverridePut, keyof OverridePut][]

export const RoomOverride = Type.Object(
  {
    target_temperature: Type.Optional(overrideTarget),
    hvac_mode: Type.Optional(overrideOff),
    power: Type.Optional(
      Type.Number({ minimum: 0, maximum: 1, description: 'A fixed power meanwhile; set on the website.' }),
    ),
    until: Timestamp('When it ends by itself.', EXAMPLE.evening),
  },
  {
    description: 'An override of a room: another target, off, or a fixed power, until a time.',
    examples: overrideExamples,
  },
)
export type RoomOverride = Static<typeof RoomOverride>

const awayTarget = Type.Number({
  ...AWAY_C,
  description: 'Celsius to which the rooms may cool meanwhile.',
  examples: [15],
})

export const AwayPut = Type.Object(
  {
    from: Type.Optional(Moment('When it begins; now unless given.', EXAMPLE.from)),
    until: Nullable(
      Moment(
        'The return: the rooms are warm again by then. At most a year ahead. Null: until the absence is ended.',
        EXAMPLE.until,
      ),
    ),
    target_temperature: awayTarget,
  },
  { ...closed, description: 'Nobody is in the building for a while.' },
)
export type AwayPut = Static<typeof AwayPut>

export const BuildingAway = Type.Object(
  {
    from: Timestamp('When it begins, or began.', EXAMPLE.from),
    until: Nullable(
      Timestamp('The return: the rooms are warm again by then. Null: until the absence is ended.', EXAMPLE.until),
    ),
    target_temperature: awayTarget,
  },
  { description: 'An absence, now or to come.' },
)
export type BuildingAway = Static<typeof BuildingAway>

const SetpointReasonField = OneOf(
  SETPOINT_REASONS,
  'What the setpoint comes from. Under `manual` and `off` the setpoint is the one the room returns to.',
  'programme',
)

const NextSetpoint = Type.Object({
  at: Timestamp('From then on.', '2026-01-11T05:30:00.000Z'),
  setpoint: Type.Number({ description: 'Celsius.', examples: [22] }),
})

/** What a room is heated towards, now and next. */
export const setpointFields = {
  setpoint: Type.Number({ description: 'Celsius: what the heating control works towards now.', examples: [19.5] }),
  reason: SetpointReasonField,
  until: Nullable(Timestamp('Until when it holds. Null when nothing changes it.', '2026-01-11T05:30:00.000Z')),
  next: Nullable(NextSetpoint),
}

export const Outlook = Type.Object(
  {
    ...setpointFields,
    reached_at: Nullable(
      Timestamp(
        'About when the setpoint will be reached. Null when it is reached already, or will not be while it holds.',
        '2026-01-10T17:00:00.000Z',
      ),
    ),
    heating: Type.Boolean({ description: 'Whether the floor is being heated.', examples: [true] }),
    activity: OneOf(ACTIVITIES, 'What the floor is doing and why, in one word, as in the explanation.', 'heating'),
    doing: Renamed(OneOf(DOINGS, '', 'heating'), 'activity'),
    next_expected: Nullable(
      Type.Number({
        description:
          'Celsius: how warm the plan expects the room to be when `next` begins. Null unless `next` is higher than the setpoint and within the plan.',
        examples: [21.4],
      }),
    ),
    next_reached_at: Nullable(
      Timestamp(
        'About when the plan reaches the setpoint of `next`. Null where it does not, or nothing is expected.',
        '2026-01-11T05:30:00.000Z',
      ),
    ),
    floor_temperature: Nullable(
      Type.Number({
        description: 'Celsius at the surface of the floor; null while nothing is known of the room.',
        examples: [24.6],
      }),
    ),
    floor_measured: Type.Boolean({
      description: 'Whether `floor_temperature` comes from a probe in the floor; else the model estimates it.',
      examples: [false],
    }),
    floor_error: FloorError,
    target_of: TargetOfField,
    warm_floor: WarmFloor,
    blinds: Nullable(BlindsAdvice),
  },
  { description: 'What a room is heated towards, why, and what comes next.' },
)
export type Outlook = Static<typeof Outlook>
