import Type, { type Static, type TSchema } from 'typebox'
import { DESIGN_OUTDOOR_C } from './facts/limits.ts'
import { LocalDate } from './heat.ts'
import { Nullable, OneOf, Timestamp, Uuid } from './schema.ts'

const ROOM_ID = '019bb0f4-6e01-7d21-8a44-5b0c9e1f2a3b'
const GATEWAY_ID = '019bb0f4-6e01-7d21-8a44-5b0c9e1f2a3c'

const orNull = <T extends TSchema>(schema: T) =>
  Type.Unsafe<Static<T> | null>({ ...schema, type: ['object', 'null'] } as TSchema)

const Range = (description: string, [value, low, high]: [number, number, number]) =>
  Type.Object(
    {
      value: Type.Number(),
      low: Type.Number({ description: 'Nine times out of ten the truth is between this and `high`.' }),
      high: Type.Number(),
    },
    { description, examples: [{ value, low, high }] },
  )

const Outdoor = Type.Number({ description: 'Outdoor temperature of the design weather, in °C.', examples: [-12] })
const Until = Nullable(Timestamp('End of the readings that it was worked out from; null where there are none.'))
const IsMetered = Type.Boolean({
  description: 'Whether a heat meter counted all of it. Without one there are shares only, and no kilowatts.',
})
const IsWaterMeasured = Type.Boolean({
  description: 'Whether gateways measured the supply temperature; without that the ranges are wider.',
})
const Room = Uuid('Of the room.', ROOM_ID)

const ReportedRoom = Type.Object({
  id: Room,
  name: Type.String(),
  area_m2: Type.Number(),
  temperature: Type.Number({ description: 'At which it is held: its target, in °C.' }),
  share: Range('Of the heat load of all rooms, from 0 to 1.', [0.21, 0.17, 0.26]),
  heat_load: orNull(
    Range('Kilowatts at design weather; null without a heat meter, and for an electric mat.', [0.9, 0.75, 1.1]),
  ),
  loss_per_kelvin: orNull(Range('Watts for each kelvin of outdoor temperature; null as `heat_load` is.', [24, 19, 30])),
  time_constant: Type.Number({ description: 'Hours in which it loses 63 % of its warmth without heat.' }),
  sun_share: Type.Number({ description: 'Of heat and sun together, the part of the sun, from 0 to 1.' }),
  supply: orNull(
    Range(
      'Coldest water in °C that is enough at design weather with the loop open; null for an electric mat.',
      [33.1, 31.5, 35],
    ),
  ),
  floor: Type.Number({ description: 'Surface of the floor at design weather, in °C.' }),
  floor_limit: Type.Number({ description: 'The highest that is allowed, in °C.' }),
})

const LeftOut = Type.Object({
  id: Room,
  name: Type.String(),
  why: OneOf(
    ['no_area', 'not_learned', 'too_short', 'not_heated'],
    'no_area: its area has not been entered. not_learned: the model has not been learned. too_short: less than a week of readings. not_heated: it took no heat.',
  ),
})

const Relief = Type.Object(
  {
    supply: Type.Number({ description: 'Coldest water in °C that is enough for all other rooms.' }),
    flow: Nullable(Type.Number({ description: 'Times as much water in its loops; null where no flow is enough.' })),
    less_loss: Type.Number({ description: 'Less loss of heat, as a share from 0 to 1.' }),
    cooler: Type.Number({ description: 'Kelvin by which it would have to be cooler.' }),
  },
  { description: 'Each of these alone brings the limiting room down to the others.' },
)

const SupplyDesign = Type.Object({
  temperature: Range('Coldest water of the house in °C at design weather.', [36.2, 34, 38.7]),
  is_measured: IsWaterMeasured,
  limiting_room: Uuid('The room that needs it.', ROOM_ID),
  relief: orNull(Relief),
  seasonal_cop: Range('Heat over electricity of a heat pump in a season with this water.', [4.1, 3.6, 4.7]),
  cop_basis: OneOf(
    ['assumed', 'entered', 'learned'],
    'Where the efficiency of the heat pump comes from: usual for air to water, entered, or learned from its meters.',
  ),
  today: orNull(
    Type.Object(
      { temperature: Type.Number(), seasonal_cop: Type.Number() },
      { description: 'With the heating curve of today; null where the water is not measured.' },
    ),
  ),
})

const Renovation = Type.Object(
  {
    day: LocalDate('Of the renovation.', '2025-09-01'),
    pairs: Type.Integer({ description: 'Weeks before and after it with about the same outdoor temperature.' }),
    change: orNull(
      Range(
        'Heat for each kelvin between indoors and outdoors: −0.2 is 20 % less. Null with fewer than three pairs.',
        [-0.22, -0.31, -0.12],
      ),
    ),
    is_metered: Type.Boolean({ description: 'Whether a heat meter counted all of these weeks.' }),
  },
  { description: 'Before and after a renovation; null unless `renovated` is asked for.' },
)

const HOUSE_EXAMPLE = {
  outdoor_temperature: -12,
  until: '2026-01-10T08:00:00.000Z',
  days: 14,
  is_metered: true,
  heat_load: { value: 5.2, low: 4.6, high: 5.9 },
  loss_per_kelvin: { value: 141, low: 120, high: 165 },
  time_constant: 74,
  sun_share: 0.08,
  degree: 0.06,
  supply: {
    temperature: { value: 36.2, low: 34, high: 38.7 },
    is_measured: true,
    limiting_room: ROOM_ID,
    relief: { supply: 33.1, flow: 1.6, less_loss: 0.2, cooler: 2.1 },
    seasonal_cop: { value: 4.1, low: 3.6, high: 4.7 },
    cop_basis: 'entered',
    today: { temperature: 41, seasonal_cop: 3.7 },
  },
  renovation: {
    day: '2025-09-01',
    pairs: 9,
    change: { value: -0.22, low: -0.31, high: -0.12 },
    is_metered: true,
  },
  rooms: [
    {
      id: ROOM_ID,
      name: 'Bathroom',
      area_m2: 7,
      temperature: 22.5,
      share: { value: 0.11, low: 0.08, high: 0.15 },
      heat_load: { value: 0.58, low: 0.43, high: 0.78 },
      loss_per_kelvin: { value: 14.9, low: 10.7, high: 20.8 },
      time_constant: 62,
      sun_share: 0.03,
      supply: { value: 36.2, low: 34, high: 38.7 },
      floor: 29.1,
      floor_limit: 33,
    },
  ],
  left_out: [{ id: ROOM_ID, name: 'Hall', why: 'no_area' }],
}

/** What a house is like, and what it would need at design weather. */
export const HouseReport = Type.Object(
  {
    outdoor_temperature: Outdoor,
    until: Until,
    days: Type.Number({ description: 'Days of readings that it was worked out from, at most 14.' }),
    is_metered: IsMetered,
    heat_load: orNull(
      Range('Kilowatts of all rooms with water at design weather; null without a heat meter.', [5.2, 4.6, 5.9]),
    ),
    loss_per_kelvin: orNull(
      Range('Watts for each kelvin of outdoor temperature; null without a heat meter.', [141, 120, 165]),
    ),
    time_constant: Nullable(
      Type.Number({ description: 'Hours in which the house loses 63 % of its warmth without heat.' }),
    ),
    sun_share: Nullable(Type.Number({ description: 'Of heat and sun together, the part of the sun, from 0 to 1.' })),
    degree: Nullable(Type.Number({ description: 'More heat for one degree more in all rooms: 0.06 is 6 %.' })),
    supply: orNull(SupplyDesign),
    renovation: orNull(Renovation),
    rooms: Type.Array(ReportedRoom),
    left_out: Type.Array(LeftOut),
  },
  {
    description:
      'What a house loses, and what it needs at design weather: on a cloudy day, with people and appliances as they are, each room at its target.',
    examples: [HOUSE_EXAMPLE],
  },
)
export type HouseReport = Static<typeof HouseReport>

const BalancedLoop = Type.Object({
  gateway_id: Uuid('Of the gateway.', GATEWAY_ID),
  channel: Type.Integer(),
  design_flow_l_min: Nullable(Type.Number({ description: 'As entered, in litres a minute.' })),
  advised_flow_l_min: Nullable(
    Type.Number({ description: 'Where the loop stands at its design flow now; null where that has not been entered.' }),
  ),
})

const BalancedRoom = Type.Object({
  id: Room,
  name: Type.String(),
  advice: OneOf(
    ['open', 'throttle', 'leave'],
    'leave: the range of `flow` contains 1, so nobody can say whether it should be more or less.',
  ),
  flow: Range('Times as much water as now in each of its loops.', [0.7, 0.5, 0.95]),
  supply: Type.Number({ description: 'Coldest water in °C that is enough at design weather, as it is now.' }),
  supply_after: Type.Number({ description: 'The same after the change.' }),
  share: Range('Of the heat load of all rooms, from 0 to 1.', [0.21, 0.17, 0.26]),
  heat_load: orNull(Range('Kilowatts at design weather, estimated; null without a heat meter.', [0.9, 0.75, 1.1])),
  loops: Type.Array(BalancedLoop),
})

const BALANCING_EXAMPLE = {
  outdoor_temperature: -12,
  until: '2026-01-10T08:00:00.000Z',
  days: 14,
  is_measured: true,
  limiting_room: ROOM_ID,
  supply: { value: 38.4, low: 36, high: 41.1 },
  supply_after: 35,
  lowering: { value: 3.4, low: 0.7, high: 6.1 },
  rooms: [
    {
      id: ROOM_ID,
      name: 'Bathroom',
      advice: 'open',
      flow: { value: 1.6, low: 1.25, high: 2.05 },
      supply: 38.4,
      supply_after: 35,
      share: { value: 0.11, low: 0.08, high: 0.15 },
      heat_load: null,
      loops: [{ gateway_id: GATEWAY_ID, channel: 1, design_flow_l_min: 1.2, advised_flow_l_min: 1.92 }],
    },
  ],
  left_out: [],
}

/** How the water should be shared out among the loops. */
export const Balancing = Type.Object(
  {
    outdoor_temperature: Outdoor,
    until: Until,
    days: Type.Number({ description: 'Days of readings that it was worked out from, at most 14.' }),
    is_measured: IsWaterMeasured,
    limiting_room: Nullable(Uuid('The room that needs the warmest water; null without advice.', ROOM_ID)),
    supply: orNull(Range('Coldest water of the house in °C at design weather, as it is now.', [38.4, 36, 41.1])),
    supply_after: Nullable(Type.Number({ description: 'The same after the change.' })),
    lowering: orNull(Range('Kelvin by which the supply temperature can fall.', [3.4, 1, 5.8])),
    rooms: Type.Array(BalancedRoom),
    left_out: Type.Array(LeftOut),
  },
  {
    description:
      'By how much the water of each loop should change so that all rooms need the same supply temperature. Fewer than two rooms with water: no advice.',
    examples: [BALANCING_EXAMPLE],
  },
)
export type Balancing = Static<typeof Balancing>

/** As a query has it: text. */
const OUTDOOR_PATTERN = '^-?\\d{1,2}(\\.\\d)?$'

export const DesignQuery = Type.Object(
  {
    outdoor_temperature: Type.Optional(
      Type.String({
        pattern: OUTDOOR_PATTERN,
        description: `Outdoor temperature of the design weather, ${DESIGN_OUTDOOR_C.minimum} to ${DESIGN_OUTDOOR_C.maximum} °C with at most one decimal; ${DESIGN_OUTDOOR_C.usual} unless given.`,
        examples: ['-12'],
      }),
    ),
  },
  { additionalProperties: false },
)
export type DesignQuery = Static<typeof DesignQuery>

export const HouseReportQuery = Type.Object(
  {
    ...DesignQuery.properties,
    renovated: Type.Optional(LocalDate('Compares the weeks before this day with those after it.', '2025-09-01')),
  },
  { additionalProperties: false },
)
export type HouseReportQuery = Static<typeof HouseReportQuery>
