import Type, { type Static } from 'typebox'
import { Nullable, OneOf, Uuid } from './schema.ts'

const DATE = '^\\d{4}-\\d{2}-\\d{2}$'
export const LocalDate = (description: string, example: string) =>
  Type.String({ pattern: DATE, description, examples: [example] })

const Kwh = (description: string) => Nullable(Type.Number({ description }))

export const HeatOfDay = Type.Object({
  day: LocalDate('Of the building.', '2026-01-10'),
  heat: Kwh('kWh; null where the area of the room is not known.'),
  heat_per_m2: Type.Number({ description: 'kWh for each square metre of floor.' }),
  cost: Nullable(Type.Number({ description: 'In the currency of the tariff; null where no price was known.' })),
})

const ROOM_EXAMPLE = {
  id: '019bb0f4-6e01-7d21-8a44-5b0c9e1f2a3b',
  name: 'Bathroom',
  area_m2: 7,
  heat: 82.4,
  heat_error: 16.5,
  heat_per_m2: 11.77,
  share: 0.12,
  cost: 7.9,
  days: [{ day: '2026-01-10', heat: 2.7, heat_per_m2: 0.39, cost: 0.26 }],
}

/** What a room took in a span of days. */
export const RoomEnergy = Type.Object(
  {
    id: Uuid('Of the room.', ROOM_EXAMPLE.id),
    name: Type.String(),
    area_m2: Nullable(Type.Number()),
    heat: Kwh('kWh that the floor took; null where the area of the room is not known.'),
    heat_error: Kwh('kWh by which `heat` may be wrong: two times out of three it is within.'),
    heat_per_m2: Type.Number({ description: 'kWh for each square metre of floor.' }),
    share: Nullable(Type.Number({ description: 'Of the heat of the building, from 0 to 1.' })),
    cost: Nullable(Type.Number({ description: 'In the currency of the tariff; null where no price was known.' })),
    days: Type.Array(HeatOfDay),
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
    heat: Kwh('kWh of all rooms of which the area is known; null where there is none.'),
    heat_error: Kwh('kWh by which `heat` may be wrong: two times out of three it is within.'),
    cost: Nullable(Type.Number({ description: 'In the currency of the tariff; null where no price was known.' })),
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
        heat: 690,
        heat_error: 70,
        cost: 66.4,
        metered_days: 0,
        efficiency: { basis: 'assumed', days: 0, value: 3.9 },
        rooms: [ROOM_EXAMPLE],
      },
    ],
  },
)
export type BuildingEnergy = Static<typeof BuildingEnergy>
