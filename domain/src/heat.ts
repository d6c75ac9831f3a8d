import Type, { type Static } from 'typebox'
import { Nullable, OneOf, Timestamp, Uuid } from './schema.ts'

const DATE = '^\\d{4}-\\d{2}-\\d{2}$'
export const LocalDate = (description: string, example: string) =>
  Type.String({ pattern: DATE, description, examples: [example] })

const Kwh = (description: string) => Nullable(Type.Number({ description }))

export const Currency = Nullable(
  Type.String({
    pattern: '^[A-Z]{3}$',
    description:
      'Of the costs, as EUR (ISO 4217): what people pay with at the place, or the currency of the price source. Null where it is not known.',
    examples: ['EUR'],
  }),
)

const HeatOfDay = Type.Object({
  day: LocalDate('Of the building.', '2026-01-10'),
  heat: Kwh('kWh; null where the area of the room is not known.'),
  heat_per_m2: Type.Number({ description: 'kWh for each square metre of floor.' }),
  cost: Nullable(Type.Number({ description: 'In `currency`; null where no price was known.' })),
  hours: Type.Optional(
    Nullable(
      Type.Array(Type.Number(), {
        description:
          'With `step=hour`: kWh of each of the 24 hours of the day, by the clock of the building; null where the area of the room is not known. An hour that the clocks repeat counts once, with both.',
      }),
    ),
  ),
})

const Saved = (description: string) =>
  Type.Object(
    {
      percent: Type.Number({ description: 'Of the heat of the room; below zero it would have taken more.' }),
      plus_minus: Type.Number({
        description: 'The truth is within this of `percent` in about 19 of 20 cases; a saving within it is none.',
      }),
    },
    { description },
  )

/** What two usual changes would have saved in a room. */
export const RoomSavings = Type.Object(
  {
    days: Type.Number({ description: 'Recorded days that were replayed on the model of the room: 7 to 28.' }),
    target_temperature: Type.Number({ description: 'Of the room in the replay, in Celsius.' }),
    half_degree_less: Saved('With a target half a degree lower.'),
    setback_hour_earlier: Nullable(Saved('With each setback an hour earlier; null where the room has none.')),
  },
  {
    description:
      'What two changes would have saved in the last weeks, computed once a week and within a day after the settings of the room have changed. Null where it is not known: less than a week recorded, not learned yet, or not controlled automatically.',
  },
)
export type RoomSavings = Static<typeof RoomSavings>

/** Further from `heat` above it than below it. */
const HeatRange = {
  heat_low: Kwh('kWh: nine times out of ten the truth is between this and `heat_high`.'),
  heat_high: Kwh('kWh: nine times out of ten the truth is between `heat_low` and this.'),
}

const ROOM_EXAMPLE = {
  id: '019bb0f4-6e01-7d21-8a44-5b0c9e1f2a3b',
  name: 'Bathroom',
  area_m2: 7,
  heat: 82.4,
  heat_error: 16.5,
  heat_low: 59.2,
  heat_high: 114.6,
  heat_per_m2: 11.77,
  share: 0.12,
  cost: 7.9,
  currency: 'EUR',
  counter: 512.34,
  days: [{ day: '2026-01-10', heat: 2.7, heat_per_m2: 0.39, cost: 0.26 }],
  savings: {
    days: 28,
    target_temperature: 21,
    half_degree_less: { percent: 2.6, plus_minus: 1.4 },
    setback_hour_earlier: { percent: 0.8, plus_minus: 0.9 },
  },
}

/** What a room took in a span of days. */
export const RoomEnergy = Type.Object(
  {
    id: Uuid('Of the room.', ROOM_EXAMPLE.id),
    name: Type.String(),
    area_m2: Nullable(Type.Number()),
    heat: Kwh('kWh that the floor took; null where the area of the room is not known, or no day was counted.'),
    heat_error: Kwh('kWh by which `heat` may be wrong: two times out of three it is within.'),
    ...HeatRange,
    heat_per_m2: Kwh('kWh for each square metre of floor; null where no day was counted.'),
    share: Nullable(Type.Number({ description: 'Of the heat of the building, from 0 to 1.' })),
    cost: Nullable(Type.Number({ description: 'In `currency`; null where no price was known.' })),
    currency: Currency,
    counter: Kwh(
      'kWh of the room since it began to be counted, whatever days are asked for. It never falls: where a day turns out to be less, it stands still until it is right. Null where the area was never known.',
    ),
    days: Type.Array(HeatOfDay),
    savings: Nullable(RoomSavings),
  },
  {
    description: 'The heat of a room, estimated by its model and scaled by a heat meter where one reports. Not a bill.',
    examples: [ROOM_EXAMPLE],
  },
)
export type RoomEnergy = Static<typeof RoomEnergy>

/** The heat of a building in a span of days. */
export const BuildingEnergy = Type.Object(
  {
    from: LocalDate('First day.', '2026-01-01'),
    to: LocalDate('Last day.', '2026-01-31'),
    counted_from: Nullable(LocalDate('The first of these days that counts; null where none does.', '2026-01-04')),
    counted_until: Nullable(
      Timestamp('Until when heat of these days is counted; null where none is.', '2026-01-31T18:00:00.000Z'),
    ),
    heat: Kwh('kWh of all rooms of which the area is known; null where there is none, or no day was counted.'),
    heat_error: Kwh('kWh by which `heat` may be wrong: two times out of three it is within.'),
    ...HeatRange,
    cost: Nullable(Type.Number({ description: 'In `currency`; null where no price was known.' })),
    currency: Currency,
    counter: Kwh(
      'kWh of all rooms since they began to be counted, whatever days are asked for. It never falls, also when a room is removed.',
    ),
    metered_days: Type.Integer({ description: 'Days on which a heat meter reported.' }),
    efficiency: Nullable(
      Type.Object(
        {
          basis: OneOf(
            ['assumed', 'learned'],
            'learned: from days on which an electricity meter and a heat meter reported.',
          ),
          days: Type.Integer({ description: 'Days it was learned from.' }),
          value: Type.Number({
            description: 'Heat for each kWh paid for; of a heat pump at 2 °C outdoors and water of 35 °C.',
          }),
        },
        { description: 'Of the heat source; null where none is set.' },
      ),
    ),
    rooms: Type.Array(RoomEnergy),
  },
  {
    description:
      'The heat of each room, estimated by its model and scaled by a heat meter where one reports. Not a bill.',
    examples: [
      {
        from: '2026-01-01',
        to: '2026-01-31',
        counted_from: '2026-01-01',
        counted_until: '2026-01-31T23:00:00.000Z',
        heat: 690,
        heat_error: 70,
        heat_low: 583.7,
        heat_high: 815.7,
        cost: 66.4,
        currency: 'EUR',
        counter: 5120.8,
        metered_days: 0,
        efficiency: { basis: 'assumed', days: 0, value: 3.9 },
        rooms: [ROOM_EXAMPLE],
      },
    ],
  },
)
export type BuildingEnergy = Static<typeof BuildingEnergy>
