import Type, { type Static } from 'typebox'
import { Outlook } from '../outlook.ts'
import { CLOCK_PATTERN } from '../patterns.ts'
import { Nullable, OneOf, Timestamp } from '../schema.ts'

const HeatKwh = Nullable(
  Type.Number({ description: 'Roughly, in kWh. Null where the area of the floor is not known.', examples: [2.4] }),
)

/** A higher setpoint ahead, and from when the floor is heated for it. */
export const AppWarmUp = Type.Object({
  at: Timestamp('From when the room is to be warm.'),
  setpoint: Type.Number({ description: 'Celsius.' }),
  expected: Type.Number({ description: 'Celsius: how warm the plan expects the room to be at that moment.' }),
  reached_at: Nullable(Timestamp('About when the plan reaches the setpoint; null where it does not.')),
  heats_from: Nullable(Timestamp('About when heating for it begins. Null when no extra heat is needed.')),
  in_time: Type.Boolean({ description: 'Whether the plan reaches the setpoint by then.' }),
  heat_kwh: HeatKwh,
})
export type AppWarmUp = Static<typeof AppWarmUp>

const WHY_NOT = [
  'off',
  'manual',
  'no-valve',
  'no-gateway',
  'gateway-lost',
  'watched',
  'open-window',
  'no-reading',
  'cooling',
  'ends-before',
  'too-little-heat',
] as const

export const AppOutlook = Type.Object({
  ...Type.Omit(Outlook, ['doing']).properties,
  reach: OneOf(['reached', 'expected', 'no'], 'Whether the setpoint is reached, will be, or will not be.'),
  why_not: Type.Unsafe<(typeof WHY_NOT)[number] | null>({
    type: ['string', 'null'],
    enum: [...WHY_NOT, null],
    description: 'Why the setpoint will not be reached.',
  }),
  heat_kwh: HeatKwh,
  warm_up: Nullable(AppWarmUp),
})
export type AppOutlook = Static<typeof AppOutlook>

/** Of every room of a building, by its id. */
export const AppOutlooks = Type.Record(Type.String(), AppOutlook)
export type AppOutlooks = Static<typeof AppOutlooks>

const Steps = <T extends Type.TSchema>(each: T, description: string) => Type.Array(each, { description })

/** Columns of equal length. Empty where the heating control does not move the valve: nothing is promised there. */
export const AppPlan = Type.Object({
  times: Steps(Type.Integer(), 'Epoch seconds; each step ends then.'),
  setpoint: Steps(Nullable(Type.Number()), 'Celsius. Null while the room will be off or under manual power.'),
  temperature: Steps(Type.Number(), 'Celsius, as the plan expects it.'),
  error: Steps(Type.Number(), 'Kelvin: how far the room may be from that.'),
  power: Steps(Type.Number(), 'Of full power, on average over the step.'),
  price: Steps(Nullable(Type.Number()), 'Of a kWh; null where it is not known.'),
})
export type AppPlan = Static<typeof AppPlan>

/** How far the promises for the mornings were kept. */
export const AppPromises = Type.Object({
  mornings: Type.Integer({ description: 'The last mornings of which it is known, seven at most.' }),
  kept: Type.Integer({ description: 'On how many of them the room was as warm as promised, within 0.3 K.' }),
})
export type AppPromises = Static<typeof AppPromises>

/** A step that is being edited. */
export const WarmUpQuery = Type.Object(
  {
    at: Type.String({ pattern: CLOCK_PATTERN, description: 'Local time as HH:MM.' }),
    from: Type.String({ pattern: '^\\d{1,2}(\\.\\d)?$', description: 'Celsius before the step.' }),
    to: Type.String({ pattern: '^\\d{1,2}(\\.\\d)?$', description: 'Celsius from the step on.' }),
  },
  { additionalProperties: false },
)
export type WarmUpQuery = Static<typeof WarmUpQuery>
