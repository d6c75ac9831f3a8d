import Type, { type Static } from 'typebox'
import { MAX_TARGET_C, MIN_TARGET_C } from '../facts/limits.ts'
import { Currency } from '../heat.ts'
import { NightMode, Programme } from '../programme.ts'
import { Nullable, OneOf, Timestamp } from '../schema.ts'

const Kwh = Nullable(Type.Number({ description: 'kWh of heat. Null where the area of the floor is not known.' }))

const Uncertain = Type.Object({
  value: Type.Number(),
  plus_minus: Type.Number({ description: 'The truth is within this of the value in about 19 of 20 cases.' }),
})

const ShadowResult = Type.Object({
  below_kh: Type.Number({ description: 'Kelvin-hours below the comfort band.' }),
  above_kh: Type.Number({ description: 'Kelvin-hours above it, while the setpoint is not lowered.' }),
  heat_kwh: Kwh,
})

const SHADOW_STATES = ['no_heat_seen', 'too_short', 'not_learned', 'early', 'ready'] as const

/** What another thermostat made of a room, and what the heating control would have made of it. */
export const ShadowReport = Type.Object({
  since: Timestamp('Since when the room is only watched.'),
  state: OneOf(
    SHADOW_STATES,
    'no_heat_seen: nothing reports when the other thermostat heats. too_short: less than two days are recorded. not_learned: the room has not been learned yet. early: less than a week. ready: a week or more.',
  ),
  days: Type.Number({ description: 'Days that are compared.' }),
  error_k: Nullable(Type.Number({ description: 'Typical error of the model some hours ahead, in kelvin.' })),
  other: Nullable(ShadowResult),
  ours: Nullable(ShadowResult),
  kelvin_hours: Nullable(Uncertain),
  heat_percent: Nullable(Uncertain),
})
export type ShadowReport = Static<typeof ShadowReport>

/** Settings that are being edited; what is left out stays as it is. */
export const WhatIfQuestion = Type.Object(
  {
    target_temperature: Type.Optional(Type.Number({ minimum: MIN_TARGET_C, maximum: MAX_TARGET_C })),
    night_mode: Type.Optional(Nullable(NightMode)),
    programme: Type.Optional(Type.Unsafe<Programme | null>({ ...Programme, type: ['object', 'null'] })),
  },
  { additionalProperties: false },
)
export type WhatIfQuestion = Static<typeof WhatIfQuestion>

const WhatIfFigures = Type.Object({
  heat_kwh: Kwh,
  cost: Nullable(Type.Number({ description: 'In `currency`. Null where it is not known.' })),
  below_kh: Type.Number({ description: 'Kelvin-hours below the comfort band.' }),
  late: Type.Integer({ description: 'Higher setpoints that the room reached late or not at all.' }),
  rises: Type.Integer({ description: 'Higher setpoints of the programme.' }),
})
export type WhatIfFigures = Static<typeof WhatIfFigures>

const WhatIfSpan = Type.Object({
  days: Type.Number(),
  now: WhatIfFigures,
  changed: WhatIfFigures,
  heat_percent: Nullable(Uncertain),
})
export type WhatIfSpan = Static<typeof WhatIfSpan>

/** The same days under the stored settings and under others. */
export const WhatIfAnswer = Type.Object({
  currency: Currency,
  ahead: Nullable(WhatIfSpan),
  past: Nullable(WhatIfSpan),
  warm_by: Type.Array(
    Type.Object({
      at: Timestamp('When the programme wants the higher setpoint.'),
      setpoint: Type.Number({ description: 'Celsius.' }),
      warm_at: Nullable(Timestamp('When the room reaches it; null: not before the setpoint changes.')),
    }),
    { description: 'Of the next two days, under the other settings.' },
  ),
})
export type WhatIfAnswer = Static<typeof WhatIfAnswer>
