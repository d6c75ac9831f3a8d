import Type, { type Static } from 'typebox'
import { CHANGEOVER_C, CHANGEOVERS, COOLING_BLOCKS, SEASONS } from './facts/cooling.ts'
import { COOLING_TARGET_C } from './facts/limits.ts'
import { Nullable, OneOf, Timestamp, Uuid } from './schema.ts'

const closed = { additionalProperties: false }
const { minimum, maximum } = CHANGEOVER_C
const ROOM = '019bb0f4-6e01-7d21-8a44-5b0c9e1f2a3b'

export const CoolingTarget = Nullable(
  Type.Number({
    ...COOLING_TARGET_C,
    description: 'Celsius to which the room is cooled. Null: its loops stay shut while the building cools.',
    examples: [25],
  }),
)

const outdoor = (description: string, example: number) =>
  Type.Number({ minimum, maximum, description, examples: [example] })

export const ChangeoverSettings = Type.Object(
  {
    by: OneOf(
      CHANGEOVERS,
      'outdoor: by the mean temperature of a day. reported: as a contact or the source reports to a gateway.',
    ),
    cooling_above: outdoor('Celsius outdoors: above this the building cools.', CHANGEOVER_C.cooling),
    heating_below: outdoor('Celsius outdoors: below this it heats.', CHANGEOVER_C.heating),
  },
  { ...closed, description: 'How the season automatic changes. The temperatures count for outdoor only.' },
)

/** What people set of a building; the targets are settings of its rooms. */
export const CoolingSettings = Type.Object(
  { season: OneOf(SEASONS, 'Whether the source heats or cools.'), changeover: ChangeoverSettings },
  { ...closed, description: 'Season and changeover of a building whose source can cool.' },
)
export type CoolingSettings = Static<typeof CoolingSettings>

export const HEATS_ALWAYS: CoolingSettings = {
  season: 'heating',
  changeover: { by: 'outdoor', cooling_above: CHANGEOVER_C.cooling, heating_below: CHANGEOVER_C.heating },
}

const RoomTarget = Type.Object(
  { room_id: Uuid('A room of the building.', ROOM), target_temperature: CoolingTarget },
  closed,
)
const roomTargets = Type.Array(RoomTarget, { maxItems: 200 })

const example = { ...HEATS_ALWAYS, season: 'automatic' as const }
const target = { room_id: ROOM, target_temperature: 25 }

export const CoolingPut = Type.Object(
  {
    season: CoolingSettings.properties.season,
    changeover: Type.Optional(ChangeoverSettings),
    rooms: Type.Optional(roomTargets),
  },
  {
    ...closed,
    description: 'Without changeover the one before stays, and so do the rooms that are not named.',
    examples: [{ ...example, rooms: [target] }],
  },
)
export type CoolingPut = Static<typeof CoolingPut>

const RoomCoolingNow = Type.Object({
  room_id: Uuid('A room.', ROOM),
  dew_point: Nullable(Type.Number({ description: 'Celsius; null where the humidity is not known.', examples: [15.3] })),
  cooling: Type.Boolean({ description: 'Whether its loops are open.', examples: [true] }),
})

export const BuildingCooling = Type.Object(
  {
    ...CoolingSettings.properties,
    rooms: roomTargets,
    state: Type.Object(
      {
        season: OneOf(['heating', 'cooling'], 'What the building does now.', 'cooling'),
        since: Nullable(Timestamp('Since when; null where it has always heated.', '2026-06-14T09:00:00.000Z')),
        blocked: Type.Unsafe<(typeof COOLING_BLOCKS)[number] | null>({
          type: ['string', 'null'],
          enum: [...COOLING_BLOCKS, null],
          description:
            'Why it heats in the season of cooling: no gateway that is online can cool, a pipe may freeze, or a new screed is heated up.',
          examples: [null],
        }),
        supply_temperature: Nullable(
          Type.Number({ description: 'Celsius of the water that is asked for; null while it heats.', examples: [18] }),
        ),
        outdoor_mean: Nullable(Type.Number({ description: 'Celsius, as the mean of a day.', examples: [22.4] })),
        rooms: Type.Array(RoomCoolingNow),
      },
      { description: 'What the building does now.' },
    ),
  },
  {
    description: 'Cooling of a building.',
    examples: [
      {
        ...example,
        rooms: [target],
        state: {
          season: 'cooling',
          since: '2026-06-14T09:00:00.000Z',
          blocked: null,
          supply_temperature: 18,
          outdoor_mean: 22.4,
          rooms: [{ room_id: ROOM, dew_point: 15.3, cooling: true }],
        },
      },
    ],
  },
)
export type BuildingCooling = Static<typeof BuildingCooling>

/** What the form alone does not show. */
export const coolingProblem = ({ changeover }: Pick<CoolingSettings, 'changeover'>): string | null =>
  changeover.heating_below < changeover.cooling_above
    ? null
    : `changeover.heating_below must be below cooling_above (${changeover.cooling_above})`
