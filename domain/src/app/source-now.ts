import Type, { type Static } from 'typebox'
import { Nullable, OneOf, Uuid } from '../schema.ts'

const Celsius = (description: string) => Nullable(Type.Number({ description }))

const Room = Type.Object({ id: Uuid('Of a room.', '019bb0f4-6e01-7d21-8a44-5b0c9e1f2a3b'), name: Type.String() })

const SupplyNow = Type.Object({
  wanted: Celsius('What the rooms ask for; null where they do not decide, or have not lately.'),
  why: OneOf(
    ['room', 'curve', 'no_demand', 'screed_heating', 'undecided'],
    'room: the plan of that room needs it. curve: that room is not known well enough and gets the water of the heating curve. no_demand: no room needs heat. screed_heating: the heat-up of a screed. undecided: the rooms have not decided lately, or do not decide.',
  ),
  room: Nullable(Room),
  others: Celsius('What would do for the other rooms, where the one that decides needs warmer water; else null.'),
  set: Celsius('What a gateway asks the heat source for; null where none does.'),
  measured: Celsius('On the manifold; null where it is not measured.'),
  circuits: Type.Array(
    Type.Object({
      rooms: Type.Array(Room),
      wanted: Celsius('What its rooms ask for; null where they have not decided lately.'),
      set: Celsius('What a gateway asks its mixer for.'),
    }),
    { description: 'Loops behind a mixer of their own, as gateways report them.' },
  ),
  day: Nullable(
    Type.Object({
      open_share: Type.Number({ description: 'Part of the last 24 hours in which the loops were open, from 0 to 1.' }),
      mean: Celsius('Mean of the supply temperature while they were open.'),
    }),
  ),
})

/** What is known of the heat source at this moment. */
export const HeatSourceNow = Type.Object({
  decides: OneOf(['rooms', 'source'], 'Who decides the supply temperature: the rooms, or a curve of the source.'),
  lacks_prices: Type.Boolean({
    description: 'The tariff goes by prices of a market or a gateway, and none are known.',
  }),
  /** Null where nothing is known of the water. */
  supply: Nullable(SupplyNow),
})
export type HeatSourceNow = Static<typeof HeatSourceNow>
