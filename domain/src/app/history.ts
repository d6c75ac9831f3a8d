import Type, { type Static } from 'typebox'
import { underscored } from '../facts/codes.ts'
import { ACTIVITIES, DOINGS } from '../facts/doing.ts'
import { FloorError, TargetOfField, WarmFloor } from '../floor-times.ts'
import { SETPOINT_REASONS } from '../schedule/types.ts'
import { Nullable, OneOf, Renamed, Timestamp } from '../schema.ts'

const Values = Type.Array(Nullable(Type.Number()))

/** Columns of equal length: `times[i]` belongs to `temperature[i]` and so on. */
export const RoomHistory = Type.Object({
  step_s: Type.Integer({ description: 'Seconds between points.' }),
  times: Type.Array(Type.Integer(), { description: 'Epoch seconds.' }),
  temperature: Values,
  temperature_min: Values,
  temperature_max: Values,
  humidity: Values,
  dew_point: Values,
  surface_humidity: Values,
  target: Values,
  power: Values,
  outdoor: Values,
})
export type RoomHistory = Static<typeof RoomHistory>

const HoursOfDay = Type.Object(
  { from: Type.String({ examples: ['22:00'] }), to: Type.String({ examples: ['05:00'] }) },
  {
    description:
      'Hours of every day in which no heat arrives, as learned, by the clock of the building; null where there are none.',
  },
)

/** As decisions keep them. */
const RUNGS = ['measured', 'predicted', 'model-only', 'learned-power', 'pi'] as const
const NOTICES = ['window-open', 'boiler-off', 'model-broken', 'no-weather', 'sensor-lost'] as const
const CAPS = [
  'floor-limit',
  'preset',
  'minimum-pulse',
  'above-band',
  'open-window',
  'grid-lock',
  'grid-limit',
  'left-out',
  'dew-unknown',
  'dew-point',
  'no-valve',
  'no-gateway',
  'gateway-lost',
  'watched',
  'watched-unseen',
] as const

/** What stood behind the heating's latest decision; the page puts it in words. */
export const RoomExplanation = Type.Object(
  {
    decided_at: Timestamp('When it was decided.'),
    activity: OneOf(
      ACTIVITIES,
      'What the floor is doing and why, in one word: the sentence is made from it.',
      'heating',
    ),
    doing: Renamed(OneOf(DOINGS, '', 'heating'), 'activity'),
    sentence: Type.String({ description: 'Why, in English.' }),
    details: Type.Array(Type.String()),
    mode: OneOf(['off', 'manual', 'frost', 'heat', 'cool'], ''),
    power: Type.Number(),
    share: Type.Number({ description: 'Power on average over the block: between two openings power is 0.' }),
    basis: OneOf(RUNGS.map(underscored), 'What the control could go by.'),
    rung: Renamed(OneOf(RUNGS, ''), 'basis'),
    conditions: Type.Array(OneOf(NOTICES.map(underscored), ''), { description: 'What the control has noticed.' }),
    notices: Renamed(Type.Array(OneOf(NOTICES, '')), 'conditions'),
    adjustments: Type.Array(OneOf(CAPS.map(underscored), ''), { description: 'What has changed the planned power.' }),
    caps: Renamed(Type.Array(OneOf(CAPS, '')), 'adjustments'),
    measured: Nullable(Type.Object({ temperature: Type.Number(), age_s: Type.Number() })),
    estimate: Nullable(
      Type.Object({
        temperature: Type.Number(),
        floor: Type.Number(),
        floor_measured: Type.Boolean(),
        floor_error: FloorError,
      }),
    ),
    outdoor_temperature: Nullable(Type.Number({ description: 'Celsius.' })),
    outdoor: Renamed(Nullable(Type.Number()), 'outdoor_temperature'),
    aim: Type.Object({
      setpoint: Type.Number({ description: 'Celsius.' }),
      target: Renamed(Type.Number(), 'setpoint'),
      low: Type.Number(),
      high: Type.Number(),
      reason: OneOf(SETPOINT_REASONS, 'What the setpoint comes from.'),
    }),
    without_heat: Nullable(
      Type.Object({
        at: Timestamp('The hour that decided.'),
        temperature: Type.Number(),
        low: Type.Number(),
        floor_needs_s: Type.Number(),
      }),
    ),
    price: Nullable(
      Type.Object(
        {
          kind: OneOf(['cheap', 'waits'], 'cheap: heated now because heat is cheap. waits: for cheaper heat.'),
          until: Timestamp('Until then heat is cheap, or not cheap yet.'),
        },
        { description: 'Where the price of heat changed the plan; null where it did not.' },
      ),
    ),
    warm_floor: WarmFloor,
    target_of: TargetOfField,
    cooling: Nullable(
      Type.Object(
        {
          dew_point: Nullable(Type.Number({ description: 'Celsius.' })),
          supply_temperature: Nullable(Type.Number({ description: 'Celsius of the water.' })),
        },
        { description: 'While the building cools; null while it heats. What is not known is null.' },
      ),
    ),
    hours_without_heat: Nullable(HoursOfDay),
    no_heat: Type.Optional(Renamed(HoursOfDay, 'hours_without_heat')),
    confidence: Type.Number({ description: '0 knows only the floor type, 1 has learned this room.' }),
  },
  {
    description: 'What stood behind the latest decision for a room.',
    examples: [
      {
        decided_at: '2026-01-10T08:15:03.000Z',
        activity: 'heating',
        doing: 'heating',
        sentence: '0.3° below the band at 10:00 without heat; the floor needs 2 h 00. Heating at 35 %.',
        details: ['Measured 21.4 °C 40 s ago.'],
        mode: 'heat',
        power: 0.35,
        share: 0.35,
        basis: 'measured',
        rung: 'measured',
        conditions: [],
        notices: [],
        adjustments: [],
        caps: [],
        measured: { temperature: 21.4, age_s: 40 },
        estimate: { temperature: 21.4, floor: 25.1, floor_measured: false, floor_error: null },
        outdoor_temperature: -3.4,
        outdoor: -3.4,
        aim: { setpoint: 22, target: 22, low: 21.5, high: 22.5, reason: 'target' },
        without_heat: { at: '2026-01-10T10:00:00.000Z', temperature: 21.2, low: 21.5, floor_needs_s: 7200 },
        price: null,
        warm_floor: null,
        target_of: 'air',
        cooling: null,
        hours_without_heat: null,
        confidence: 0.8,
      },
    ],
  },
)
export type RoomExplanation = Static<typeof RoomExplanation>
