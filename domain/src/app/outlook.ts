import Type, { type Static } from 'typebox'
import { Outlook } from '../outlook.ts'
import { CLOCK_PATTERN } from '../patterns.ts'
import { Nullable, OneOf, Timestamp } from '../schema.ts'

const HeatKwh = Nullable(
  Type.Number({ description: 'Roughly, in kWh. Null where the area of the floor is not known.', examples: [2.4] }),
)

/** A higher setpoint ahead, and from when the floor is heated for it. */
export const AppWarmUp = Type.Object({
  at: Timestamp('By then the room is warm.'),
  setpoint: Type.Number({ description: 'Celsius.' }),
  heats_from: Nullable(Timestamp('About when heating for it begins. Null when no extra heat is needed.')),
  in_time: Type.Boolean({ description: 'Whether the room is in its comfort band by then.' }),
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
  'ends-before',
  'too-little-heat',
] as const

export const AppOutlook = Type.Object({
  ...Outlook.properties,
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
