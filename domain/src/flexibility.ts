import Type, { type Static } from 'typebox'
import { FLEXIBILITY_DIRECTIONS, POWER_UNKNOWN, type PowerUnknown } from './facts/energy.ts'
import { Nullable, OneOf, Timestamp, Uuid } from './schema.ts'

const kwh = (description: string, example: number) => Nullable(Type.Number({ description, examples: [example] }))

const offerFields = {
  direction: OneOf(
    FLEXIBILITY_DIRECTIONS,
    'less: no electricity for the floors. more: as much as they can store.',
    'less',
  ),
  minutes: Type.Integer({ description: 'For how long, from `calculated_at` on.', examples: [90] }),
  power_w: Nullable(
    Type.Integer({
      description: 'By how many watts the heat source would take less, or more, on the mean of that time.',
      examples: [2100],
    }),
  ),
  energy_kwh: kwh('The same as energy.', 3.15),
  planned_kwh: kwh('What the heat source is planned to take in that time.', 3.15),
  later_kwh: kwh('What is taken later instead, within two days; below 0 it is less.', 3.02),
  kelvin_hours: Type.Number({
    description: 'By how much longer or further rooms are outside their comfort bands, all together.',
    examples: [0.4],
  }),
}

export const FlexibilityOffer = Type.Object(
  {
    ...offerFields,
    temperature_change: Type.Number({
      description: 'Kelvin by which a room becomes colder, or warmer, at most.',
      examples: [0.3],
    }),
    rooms: Type.Integer({ description: 'How many rooms take part.', examples: [5] }),
  },
  { description: 'What a building can do for the grid, beside what it plans anyway.' },
)
export type FlexibilityOffer = Static<typeof FlexibilityOffer>

const LimitRecord = Type.Object(
  {
    from: Timestamp('When the limit began.', '2026-01-12T16:00:00.000Z'),
    until: Timestamp('When it ended.', '2026-01-12T18:00:00.000Z'),
    limit_w: Type.Integer({ description: 'The limit, in watts.', examples: [0] }),
    promised_at: Timestamp('When it was set, and the rest was worked out.', '2026-01-12T12:00:00.000Z'),
    withdrawn: Type.Boolean({ description: 'It was withdrawn or replaced before it ended: nothing was counted.' }),
    planned_kwh: kwh('What the rooms would have taken in that time.', 4.2),
    promised_kwh: kwh('What they were expected to leave untaken.', 4.2),
    taken_kwh: kwh('What they took, by their loops; null until it has been counted.', 0.2),
    delivered_kwh: kwh('What they left untaken: planned less taken.', 4),
    missed_kwh: kwh('What of the promise was not delivered.', 0.2),
    metered_kwh: kwh('What the electricity meters of the heat source counted in that time.', 0.3),
  },
  { description: 'What a power limit was expected to bring, and what it brought.' },
)
export type LimitRecord = Static<typeof LimitRecord>

const CalculatedAt = Timestamp('When the offers were worked out: at most five minutes ago.', '2026-01-12T15:30:00.000Z')

const offer: FlexibilityOffer = {
  ...{ direction: 'less', minutes: 90, power_w: 2100, energy_kwh: 3.15, planned_kwh: 3.15, later_kwh: 3.02 },
  ...{ kelvin_hours: 0.4, temperature_change: 0.3, rooms: 5 },
}

export const BuildingFlexibility = Type.Object(
  {
    calculated_at: CalculatedAt,
    power_unknown: Type.Unsafe<PowerUnknown | null>({
      type: ['string', 'null'],
      enum: [...POWER_UNKNOWN, null],
      description:
        'Why power and energy are null. no_heat_source: none is set. not_electric: it does not take electricity. no_area: the area of a room is not known. no_meter: no meter has counted the heat source for the last week.',
      examples: [null],
    }),
    offers: Type.Array(FlexibilityOffer, {
      description: 'One a direction and duration; empty where the heat is not known to be made from electricity.',
    }),
    record: Type.Array(LimitRecord, {
      description: 'The latest power limits that were set through the interface, the newest first.',
    }),
  },
  {
    description: 'What a building can do for the grid, and what it has done.',
    examples: [{ calculated_at: '2026-01-12T15:30:00.000Z', power_unknown: null, offers: [offer], record: [] }],
  },
)
export type BuildingFlexibility = Static<typeof BuildingFlexibility>

const { temperature_change: _change, rooms: _rooms, ...summed } = offer
const BUILDING = '019bb0f4-6e00-7c3a-9d5e-2f1a6b7c8d9e'

export const FleetFlexibility = Type.Object(
  {
    buildings: Type.Integer({ description: 'How many buildings this answer is about: 10 at most.', examples: [12] }),
    building_ids: Type.Array(Uuid('A building.', BUILDING), {
      description: 'Those whose power is known; the sums are theirs.',
    }),
    next: Nullable(Uuid('Send it as `after` for the buildings that follow; null: these were the last.', BUILDING)),
    offers: Type.Array(Type.Object(offerFields), {
      description: 'The offers of these buildings, added up; empty where the power of none is known.',
    }),
  },
  {
    description: 'What all buildings of a key can do for the grid together.',
    examples: [{ buildings: 1, building_ids: [BUILDING], next: null, offers: [summed] }],
  },
)
export type FleetFlexibility = Static<typeof FleetFlexibility>

export const FleetQuery = Type.Object(
  { after: Type.Optional(Type.String({ description: '`next` of the answer before.', examples: [BUILDING] })) },
  { additionalProperties: false },
)
export type FleetQuery = Static<typeof FleetQuery>
