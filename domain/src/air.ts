import Type, { type Static } from 'typebox'
import { AIRING_ADVICE, MOULD_RISKS, type MouldRisk } from './facts/air.ts'
import { Nullable, OneOf, Timestamp } from './schema.ts'

const Value = (description: string, example: number) => Nullable(Type.Number({ description, examples: [example] }))

export const Airing = Type.Object(
  {
    advice: OneOf(
      AIRING_ADVICE,
      'Whether opening the windows wide dries the room: now, later, or not within two days.',
    ),
    minutes: Nullable(Type.Integer({ description: 'For how long, where it helps now.', examples: [6] })),
    from: Nullable(Timestamp('From when on it helps, where that is later.')),
  },
  {
    description: 'Whether airing helps, by the humidity outdoors.',
    examples: [{ advice: 'now', minutes: 6, from: null }],
  },
)
export type Airing = Static<typeof Airing>

export const AiringOrNull = Type.Unsafe<Airing | null>({
  ...Airing,
  type: ['object', 'null'],
  description: 'Null where the humidity outdoors or in the room is not known, or does not matter.',
})

/** How humid a room is, and what that means for its coldest surface. */
export const RoomAir = Type.Object(
  {
    temperature: Value('Celsius, as measured in the last hour.', 20.5),
    humidity: Value('Percent, as measured in the last hour.', 58),
    dew_point: Value('Celsius: below this, water condenses.', 12),
    absolute_humidity: Value('Grams of water in a cubic metre.', 10.3),
    surface_factor: Type.Number({ description: 'f_Rsi of the coldest surface, as entered.', examples: [0.7] }),
    surface_temperature: Value('Celsius, of the coldest surface, by the factor and the last hours outdoors.', 14.1),
    surface_humidity: Value('Percent, of the air against the coldest surface.', 87),
    damp_hours: Value('Hours a day with more than 80 % at that surface, as a running mean over days.', 9.5),
    mould_risk: Type.Unsafe<MouldRisk | null>({
      type: ['string', 'null'],
      enum: [...MOULD_RISKS, null],
      description: 'High from 12 damp hours a day on, raised from 6. Null before two days are known.',
      examples: ['raised'],
    }),
    airing: AiringOrNull,
    warmed_by: Type.Number({
      description: 'Kelvin by which the room is kept warmer against mould now.',
      examples: [0],
    }),
  },
  { description: 'The air of a room. What is not known is null.' },
)
export type RoomAir = Static<typeof RoomAir>
